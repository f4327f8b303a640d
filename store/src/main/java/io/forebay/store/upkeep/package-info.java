// SPDX-License-Identifier: Apache-2.0

/**
 * The work that keeps room in a log: freeing dead segments, spilling segments from memory to the
 * SSD, compaction, rewriting in place, eviction of clean records. Entered by {@link
 * io.forebay.store.Store} only, which runs it inside its poll, on its owner's thread, in small
 * steps. Start reading at {@link io.forebay.store.upkeep.Housekeeper}.
 */
@NullMarked
package io.forebay.store.upkeep;

import org.jspecify.annotations.NullMarked;
