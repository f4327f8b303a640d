// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstanceCreateCommandTest {
  private static SeatEntry seat(int number, String server, SeatEntry.Stay stay) {
    List<String> addresses = List.of("127.0.0.1:" + number);
    return new SeatEntry(
            new SeatId(number), server, "host", number, 1, 1, 1, addresses, 1, 1, 1, false)
        .withStay(stay);
  }

  @Test
  void onlyServersThatStayKeepCopiesApart() {
    List<SeatEntry> seats =
        List.of(
            seat(1, "a", SeatEntry.Stay.HERE),
            seat(2, "a", SeatEntry.Stay.HERE),
            seat(3, "b", SeatEntry.Stay.LEFT),
            seat(4, "c", SeatEntry.Stay.LEAVING),
            seat(5, "d", SeatEntry.Stay.GONE),
            seat(6, "e", SeatEntry.Stay.HERE));
    RingMap map = new RingMap(1, 1, 1, seats, List.of(), List.of());
    assertThat(InstanceCreateCommand.serversHere(map)).isEqualTo(2);
  }
}
