// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code forebay} command: reads arguments, calls the other modules, prints for people or, with
 * {@code --json}, for programs. Everything runs on the main thread. Start reading at {@link
 * io.forebay.cli.RootCommand}; a new subcommand is a class of its own and a line there.
 */
@NullMarked
package io.forebay.cli;

import org.jspecify.annotations.NullMarked;
