// SPDX-License-Identifier: Apache-2.0

/**
 * The state of a tree: its nodes, sessions, room, locks, unfinished files, and what the backing
 * store has. Decides nothing. Entered by the packages of the tree only. Belongs to its seat's loop.
 * Start reading at {@link io.forebay.namespace.tree.state.TreeState}.
 */
@NullMarked
package io.forebay.namespace.tree.state;

import org.jspecify.annotations.NullMarked;
