// SPDX-License-Identifier: Apache-2.0

/**
 * Where drained bytes go: one interface over directories, object stores and HDFS. A seat's loop
 * speaks to a {@link io.forebay.backing.Backing}, which answers when polled; behind it a {@link
 * io.forebay.backing.BackingStore} does the blocking work on threads of its own. Stores are opened
 * by address ({@link io.forebay.backing.BackingStores}); those that bring large libraries are
 * loaded when they are first used. Any thread may call a store; a {@code Backing} belongs to one.
 * Start reading at {@link io.forebay.backing.BackingStore}, then {@link
 * io.forebay.backing.Backing}.
 */
@NullMarked
package io.forebay.backing;

import org.jspecify.annotations.NullMarked;
