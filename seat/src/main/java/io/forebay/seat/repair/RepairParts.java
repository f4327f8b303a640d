// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Links;
import io.forebay.seat.put.CopyQueues;

/** The collaborators of the repair of a group's members, from the home's seat. */
public record RepairParts(
    Basics basics, Links links, CopyQueues copies, CorruptRecordRepair mending, RepairPace pace) {}
