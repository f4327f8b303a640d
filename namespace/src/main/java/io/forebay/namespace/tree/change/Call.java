// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.wire.message.Identity;

/**
 * Who asks for a change, and when.
 *
 * @param index of the journal entry: the publish number of what it publishes
 * @param op numbers the changes of a session; 0 for one whose answer need not be remembered
 * @param doneBelow answers to ops below are needed no longer
 * @param settledBelow pieces of lower numbers are not published any more
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
