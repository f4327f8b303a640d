// SPDX-License-Identifier: Apache-2.0

/**
 * A seat's local store: append-only segments in memory and on SSD, the indexes over them, and the
 * work that keeps room in them. For owners of a store: seats, tools, benchmarks. One thread owns a
 * store and calls everything here; disk requests go to {@link io.forebay.store.disk.Disk} and are
 * answered inside {@link io.forebay.store.Store#poll}. Start reading at {@link
 * io.forebay.store.Store}.
 */
@NullMarked
package io.forebay.store;

import org.jspecify.annotations.NullMarked;
