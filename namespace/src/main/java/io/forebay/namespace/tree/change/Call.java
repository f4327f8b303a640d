// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.wire.message.Identity;

/**
 * The origin and time of a change.
 *
 * @param index the index of the journal entry, which is the publish number of its pieces
 * @param op the number of the change within its session; 0 if its answer need not be remembered
 * @param doneBelow answers to lower ops may be dropped
 * @param settledBelow pieces with lower numbers will not be published any more
 * @param timeNanos the home's wall clock when the change was proposed
 */
public record Call(
    long index,
    long session,
    long op,
    long doneBelow,
    long settledBelow,
    Identity who,
    long timeNanos) {}
