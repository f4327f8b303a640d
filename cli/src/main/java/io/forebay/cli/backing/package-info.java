// SPDX-License-Identifier: Apache-2.0

/**
 * The commands below {@code forebay backing}, which work on a backing store without a ring. Entered
 * by the root command. Each runs on the main thread. Start reading at {@link
 * io.forebay.cli.backing.BackingCommand}.
 */
@NullMarked
package io.forebay.cli.backing;

import org.jspecify.annotations.NullMarked;
