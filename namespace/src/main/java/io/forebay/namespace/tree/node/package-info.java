// SPDX-License-Identifier: Apache-2.0

/**
 * The nodes of a tree: directories, files and what they consist of, symbolic links, special files,
 * and the rules for their names. Entered by the packages of the tree only, which share the nodes'
 * fields; {@link io.forebay.namespace.tree.node.NameLimits} is for all. Belongs to its seat's loop.
 * Start reading at {@link io.forebay.namespace.tree.node.Node}.
 */
@NullMarked
package io.forebay.namespace.tree.node;

import org.jspecify.annotations.NullMarked;
