// SPDX-License-Identifier: Apache-2.0

/**
 * A seat's log on a real machine: its files, its lock, the place of its memory, and reading it
 * without changing it. Touches the machine, so it is no part of the core: files, locks, the
 * kernel's boot id. Each open log belongs to one thread. Start reading at {@link
 * io.forebay.store.directory.LogDirectory}.
 */
@NullMarked
package io.forebay.store.directory;

import org.jspecify.annotations.NullMarked;
