// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import io.forebay.seat.drain.DrainParts;
import io.forebay.seat.names.NameParts;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Links;
import io.forebay.seat.put.PutParts;
import io.forebay.seat.reclaim.RecordDeletion;
import io.forebay.seat.repair.RepairParts;
import io.forebay.seat.use.UseParts;

/**
 * The collaborators of a group, from its seat.
 *
 * @param snapshotBytes the growth of the journal before a snapshot replaces it
 * @param entered runs when an epoch has been entered
 */
public record GroupParts(
    Basics basics,
    Links links,
    PutParts puts,
    RepairParts repair,
    NameParts names,
    DrainParts drain,
    UseParts use,
    RecordDeletion kills,
    long snapshotBytes,
    Runnable entered) {}
