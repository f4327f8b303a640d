// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.base.Timers;
import io.forebay.seat.backing.BackingSource;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.WallClock;
import io.forebay.store.Store;
import io.forebay.wire.Network;
import io.forebay.wire.proof.Trust;
import java.util.random.RandomGenerator;

/**
 * The environment of a seat.
 *
 * @param wallClock nanoseconds since 1970, for the times of files and the expiry of capabilities
 * @param random seeded; draws incarnations and spreads retries
 * @param secrets draws keys; its output must not be predictable
 * @param backings the backing stores
 * @param trust what the seat believes of the other ends of its connections
 */
public record SeatEnvironment(
    Timers timers,
    Network network,
    Store store,
    WallClock wallClock,
    RandomGenerator random,
    RandomGenerator secrets,
    SeatEvents events,
    BackingSource backings,
    Trust trust) {}
