// SPDX-License-Identifier: Apache-2.0

/**
 * Ranks of a parallel program: their numbers, their nodes, and the exchange of bytes. A group
 * belongs to its rank: one thread at a time calls it, and all ranks make the same collective calls
 * in the same order. Start reading at {@link io.forebay.parallel.Group}.
 */
@NullMarked
package io.forebay.parallel;

import org.jspecify.annotations.NullMarked;
