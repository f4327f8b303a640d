// SPDX-License-Identifier: Apache-2.0

/**
 * What a tree has in the backing store: drained files, attempts under way, open packs, pending
 * changes of names, and which directories have been listed. Entered by the packages of the tree;
 * seats see the values that {@link io.forebay.namespace.tree.BackingView} hands out. Belongs to its
 * seat's loop. Start reading at {@link io.forebay.namespace.tree.backed.BackingTable}.
 */
@NullMarked
package io.forebay.namespace.tree.backed;

import org.jspecify.annotations.NullMarked;
