// SPDX-License-Identifier: Apache-2.0

/**
 * How work on a tree can end besides with its reply: refused, or with effects that others must hear
 * of. Used by all packages of the tree. Belongs to its seat's loop. Start reading at {@link
 * io.forebay.namespace.tree.outcome.Refused}.
 */
@NullMarked
package io.forebay.namespace.tree.outcome;

import org.jspecify.annotations.NullMarked;
