// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import io.forebay.seat.backing.Backings;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.repair.CorruptRecordRepair;

/** The collaborators of the chunk writer, from its seat. */
public record WriterParts(
    Basics basics, Questions questions, CorruptRecordRepair mending, Backings backings) {}
