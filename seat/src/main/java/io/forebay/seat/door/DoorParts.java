// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.seat.access.Entrances;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.drain.chunk.DrainWriter;
import io.forebay.seat.group.MemberGroups;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.neighbour.Stabilizer;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.ReadGuard;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.Holds;
import io.forebay.seat.put.Reads;
import io.forebay.seat.reclaim.RecordDeletion;
import io.forebay.seat.repair.ChecksumCheck;
import io.forebay.seat.repair.CorruptRecordRepair;
import io.forebay.seat.right.RecordRights;
import io.forebay.wire.message.Statuses;
import java.util.function.IntFunction;

/**
 * The parts of a seat that take messages.
 *
 * @param entrances decide which messages are taken
 * @param groups take messages to a group in an epoch
 * @param questions take answers
 * @param status the seat's status, given the number of its connections
 * @param creditBytes how many bytes a client may have in flight to this seat
 */
public record DoorParts(
    Basics basics,
    Entrances entrances,
    MemberGroups groups,
    Questions questions,
    Holds holds,
    RecordRights recordRights,
    Reads reads,
    ReadGuard readGuard,
    CorruptRecordRepair corruptRecords,
    ChecksumCheck checksumCheck,
    RecordDeletion deletion,
    Stabilizer stabilizer,
    Overload overload,
    Backings backings,
    DrainWriter drainWriter,
    IntFunction<Statuses.SeatStatus> status,
    long creditBytes) {}
