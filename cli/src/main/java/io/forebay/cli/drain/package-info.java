// SPDX-License-Identifier: Apache-2.0

/**
 * Commands for the drain of files to the backing store. Each runs on the main thread. Start reading
 * at {@link io.forebay.cli.drain.LedgerCommand}.
 */
@NullMarked
package io.forebay.cli.drain;

import org.jspecify.annotations.NullMarked;
