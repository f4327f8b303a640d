// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.seat.backing.Backings;
import io.forebay.seat.drain.naming.SentBackingCalls;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Links;
import io.forebay.seat.put.Holds;

/** The collaborators of a group's drains, from its home's seat. */
public record DrainParts(
    Basics basics,
    Links links,
    Backings backings,
    SentBackingCalls sentBackingCalls,
    Holds holds) {}
