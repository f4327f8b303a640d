package io.forebay.seat;

import io.forebay.base.Timers;
import io.forebay.store.Store;
import io.forebay.wire.Network;
import java.util.random.RandomGenerator;

/**
 * What a seat gets from outside.
 *
 * @param wallClock nanoseconds since 1970, for the times of files only; nothing is decided by it
 * @param random seeded; draws incarnations and spreads retries
 */
public record SeatEnvironment(
    Timers timers,
    Network network,
    Store store,
    WallClock wallClock,
    RandomGenerator random,
    SeatEvents events) {
  /** The time people live in; it may jump. */
  public interface WallClock {
    long nanos();
  }
}
