// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.recovery;

import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;

/**
 * The highest map that a seat saw.
 *
 * @param source where it was found, for people
 * @param seat which seat of that map it is
 */
public record SeatAnswer(String source, SeatId seat, RingMap map) {}
