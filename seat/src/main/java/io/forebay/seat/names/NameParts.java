// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.seat.part.Basics;
import io.forebay.seat.part.ReadGuard;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.use.Policies;
import io.forebay.wire.UserBounds;
import java.util.random.RandomGenerator;

/**
 * The collaborators of the home's answers about names, from its seat.
 *
 * @param secrets draws keys; its output must not be predictable
 * @param users how much of an instance one user may have
 */
public record NameParts(
    Basics basics,
    Questions questions,
    ReadGuard readGuard,
    RandomGenerator secrets,
    Policies policies,
    UserBounds users) {}
