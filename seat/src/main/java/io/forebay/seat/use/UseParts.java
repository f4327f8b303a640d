// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Questions;

/** The collaborators of a home's counts, from its seat. */
public record UseParts(Basics basics, Questions questions, Policies policies) {}
