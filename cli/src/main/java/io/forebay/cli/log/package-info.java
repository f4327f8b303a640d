// SPDX-License-Identifier: Apache-2.0

/**
 * The commands below {@code forebay log}, which read a seat's log without changing it. Entered by
 * the root command. Each runs on the main thread. Start reading at {@link
 * io.forebay.cli.log.LogCommand}.
 */
@NullMarked
package io.forebay.cli.log;

import org.jspecify.annotations.NullMarked;
