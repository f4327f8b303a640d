// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.manager.desk.DeskParts;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.part.WallClock;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Ends instances whose time is over, and warns before. The agreed state has no clock, so the
 * manager that leads looks at its own and proposes the end. Called by the manager's loop.
 */
final class InstanceExpiry {
  /** People are warned this long before. */
  static final long WARN_SECONDS = 24 * 60 * 60;

  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final DeskParts parts;
  private final WallClock wallClock;
  private final BooleanSupplier serving;

  /** Instances that people were warned of, or whose end is proposed. */
  private final Set<Integer> warned = new TreeSet<>();

  private final Set<Integer> proposed = new TreeSet<>();

  InstanceExpiry(DeskParts parts, WallClock wallClock, BooleanSupplier serving) {
    this.parts = parts;
    this.wallClock = wallClock;
    this.serving = serving;
  }

  void start() {
    parts
        .timers()
        .after(
            LOOK_NANOS,
            () -> {
              if (serving.getAsBoolean()) look();
              start();
            });
  }

  private void look() {
    long nowSeconds = wallClock.nanos() / NANOS_PER_SECOND;
    RingMap map = parts.state().map();
    warned.removeIf(number -> map.instance(number) == null);
    for (Instance instance : map.instances()) {
      long expires = instance.tenancy().expiresSeconds();
      if (expires == 0 || instance.drain().ending()) continue;
      if (expires <= nowSeconds) {
        end(instance);
      } else if (expires - nowSeconds <= WARN_SECONDS && warned.add(instance.id())) {
        parts
            .events()
            .warned(
                "instance '%s' of user %d expires at %s: it ends then with all its data"
                    .formatted(instance.name(), instance.owner(), Instant.ofEpochSecond(expires)));
      }
    }
  }

  private void end(Instance instance) {
    if (!proposed.add(instance.id())) return;
    parts.events().warned("instance '%s' has expired: it ends".formatted(instance.name()));
    parts
        .decisions()
        .propose(
            new Command.ExpireInstance(instance.id()),
            result -> proposed.remove(instance.id()),
            why -> proposed.remove(instance.id()));
  }
}
