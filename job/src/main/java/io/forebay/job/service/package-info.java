// SPDX-License-Identifier: Apache-2.0

/**
 * The commands that batch systems and users call: {@code dw_wlm_cli}, {@code dwstat} and {@code
 * dwcli}, over what a cluster offers to jobs. Several threads call at once. Start reading at {@link
 * io.forebay.job.service.WlmCommands}.
 */
@NullMarked
package io.forebay.job.service;

import org.jspecify.annotations.NullMarked;
