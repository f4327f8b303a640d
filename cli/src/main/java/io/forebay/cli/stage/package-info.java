// SPDX-License-Identifier: Apache-2.0

/**
 * The commands that stage files in and out. Called by one thread. Start reading at {@link
 * io.forebay.cli.stage.StageCommand}.
 */
@NullMarked
package io.forebay.cli.stage;

import org.jspecify.annotations.NullMarked;
