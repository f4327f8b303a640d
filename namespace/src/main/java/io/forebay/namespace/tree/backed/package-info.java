// SPDX-License-Identifier: Apache-2.0

/**
 * What a tree has in the backing store: drained files, attempts under way, open packs, changes of
 * names that are still to be done there, and which directories have been looked into. Entered by
 * the packages of the tree; seats see the values that {@link io.forebay.namespace.tree.BackingView}
 * hands out. Belongs to its seat's loop. Start reading at {@link
 * io.forebay.namespace.tree.backed.BackingTable}.
 */
@NullMarked
package io.forebay.namespace.tree.backed;

import org.jspecify.annotations.NullMarked;
