// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import io.forebay.seat.drain.DrainParts;
import io.forebay.seat.names.NameParts;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Links;
import io.forebay.seat.put.PutParts;
import io.forebay.seat.reclaim.RecordDeletion;
import io.forebay.seat.repair.RepairParts;

/**
 * What a group uses of its seat.
 *
 * @param snapshotBytes how far the journal grows before a snapshot takes its place
 * @param entered runs when an epoch has been entered
 */
public record GroupParts(
    Basics basics,
    Links links,
    PutParts puts,
    RepairParts repair,
    NameParts names,
    DrainParts drain,
    RecordDeletion kills,
    long snapshotBytes,
    Runnable entered) {}
