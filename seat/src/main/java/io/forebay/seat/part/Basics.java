// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.Timers;
import io.forebay.store.Store;
import java.util.random.RandomGenerator;

/**
 * The shared parts of a seat. A part keeps the ones that it uses, so that its fields show what it
 * touches.
 *
 * @param self the identity of this seat
 * @param maps the map that it follows
 * @param groups the groups that it is a member of
 * @param timers its clock
 * @param wallClock for the times of files only, never for decisions
 * @param random seeded
 * @param store its log
 * @param events events for operators
 * @param warnings the same for warnings that may come with every record
 */
public record Basics(
    Self self,
    MapView maps,
    Groups groups,
    Timers timers,
    WallClock wallClock,
    RandomGenerator random,
    Store store,
    SeatEvents events,
    RepeatedWarnings warnings,
    SeatCounters counters,
    Loop loop) {}
