// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.seat.part.Basics;
import io.forebay.seat.part.ReadGuard;
import io.forebay.seat.peer.Questions;
import java.util.random.RandomGenerator;

/**
 * What the home's answers about names use of its seat.
 *
 * @param secrets draws keys, which nobody may be able to tell from what was drawn before
 */
public record NameParts(
    Basics basics, Questions questions, ReadGuard readGuard, RandomGenerator secrets) {}
