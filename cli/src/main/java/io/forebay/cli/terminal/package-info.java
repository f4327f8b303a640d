// SPDX-License-Identifier: Apache-2.0

/**
 * The output of commands: tables, progress and JSON for results, and one sentence for failures.
 * Called by one thread. Start reading at {@link io.forebay.cli.terminal.Table}.
 */
@NullMarked
package io.forebay.cli.terminal;

import org.jspecify.annotations.NullMarked;
