// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Timers;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.Address;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManagerLinkTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long STEP = SECOND / 20;

  private long now;
  private final Timers timers = new Timers(() -> now);
  private final MemoryNetwork network =
      new MemoryNetwork(timers, new Random(1), new MemoryOptions(1, 1, 0, 0));
  private final List<String> told = new ArrayList<>();

  private final ManagerLink.Owner seat =
      new ManagerLink.Owner() {
        @Override
        public Maps.Init init() {
          return new Maps.Init(
              0, "server", 1, "here", 0, new Maps.SeatOffer(1, 1, 1, 1, List.of(), 1, 1, 1, 0));
        }

        @Override
        public Maps.@Nullable SeatReport report() {
          return null;
        }

        @Override
        public void mapArrived(Maps.MapIs map) {}

        @Override
        public void refused(String reason) {}

        @Override
        public void unmanaged(String sentence) {
          told.add(sentence);
        }
      };

  @Test
  void aServerThatFindsNoManagerSaysSoEveryFewSecondsWithTheAddress() {
    ManagerLink link =
        new ManagerLink(
            timers,
            network.at("here"),
            List.of(new Address.Inet("there", 7070)),
            "here",
            new Calls(timers),
            seat);
    link.start();
    run(ProtocolTimes.DEFAULT.manager().unmanagedNanos() - STEP);
    assertThat(told).as("a manager may be started again").isEmpty();
    run(60 * SECOND);
    assertThat(told).hasSizeBetween(6, 13);
    assertThat(told).allMatch(sentence -> sentence.startsWith("no manager at there:7070 for "));
    link.close("over");
    told.clear();
    run(60 * SECOND);
    assertThat(told).isEmpty();
  }

  private void run(long nanos) {
    for (long end = now + nanos; now < end; now += STEP) timers.runDue();
  }
}
