// SPDX-License-Identifier: Apache-2.0

/**
 * The changes of a tree by draining: attempts, packs, released bytes, and files of the backing
 * store that are adopted. Entered by {@link io.forebay.namespace.tree.Tree}; the values are made by
 * the group's commands. Belongs to its seat's loop. Start reading at {@link
 * io.forebay.namespace.tree.drain.DrainChanges}.
 */
@NullMarked
package io.forebay.namespace.tree.drain;

import org.jspecify.annotations.NullMarked;
