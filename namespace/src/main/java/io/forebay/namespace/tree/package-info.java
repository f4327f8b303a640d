// SPDX-License-Identifier: Apache-2.0

/**
 * One tree of an instance: its entry point for changes, questions, and drains. Entered by {@link
 * io.forebay.namespace.GroupState}; seats read a tree through {@link
 * io.forebay.namespace.tree.BackingView}. Belongs to its seat's loop. Start reading at {@link
 * io.forebay.namespace.tree.Tree}.
 */
@NullMarked
package io.forebay.namespace.tree;

import org.jspecify.annotations.NullMarked;
