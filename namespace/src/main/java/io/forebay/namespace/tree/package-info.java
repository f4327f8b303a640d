/**
 * One tree: its nodes, what files consist of, its sessions and its room. Belongs to its seat's
 * loop. Start reading at {@link io.forebay.namespace.tree.Tree}.
 */
@NullMarked
package io.forebay.namespace.tree;

import org.jspecify.annotations.NullMarked;
