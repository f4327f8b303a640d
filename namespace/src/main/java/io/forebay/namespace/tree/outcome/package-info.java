// SPDX-License-Identifier: Apache-2.0

/**
 * The results of a change besides its reply: a refusal, or effects for other parts. Used by all
 * packages of the tree. Belongs to its seat's loop. Start reading at {@link
 * io.forebay.namespace.tree.outcome.Refused}.
 */
@NullMarked
package io.forebay.namespace.tree.outcome;

import org.jspecify.annotations.NullMarked;
