// SPDX-License-Identifier: Apache-2.0

/**
 * The changes of clients to a tree: names, files, attributes, pairs, locks; the walk along a path
 * and the permissions that are checked on it. Entered by the packages of the tree; {@link
 * io.forebay.namespace.tree.change.Call} is made by the group. Belongs to its seat's loop. Start
 * reading at {@link io.forebay.namespace.tree.change.NameChanges} and {@link
 * io.forebay.namespace.tree.change.FileChanges}.
 */
@NullMarked
package io.forebay.namespace.tree.change;

import org.jspecify.annotations.NullMarked;
