// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.recovery.NewestMap.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NewestMapTest {
  private static SeatEntry seat(int number) {
    return new SeatEntry(
        new SeatId(number), "s" + number, "h", number, 1, 1, 1, List.of("h:1"), 1, 1, 1, false);
  }

  /** A map of seats of these numbers. */
  private static RingMap map(long epoch, int... numbers) {
    List<SeatEntry> seats = new ArrayList<>();
    for (int number : numbers) seats.add(seat(number));
    return map(7, epoch, seats);
  }

  private static RingMap map(long cluster, long epoch, List<SeatEntry> seats) {
    return new RingMap(cluster, epoch / 1_000_000, epoch, seats, List.of(), List.of());
  }

  private static SeatAnswer says(int number, RingMap map) {
    return new SeatAnswer("s" + number, new SeatId(number), map);
  }

  private static Found.Newest newest(Found found) {
    assertThat(found).isInstanceOf(Found.Newest.class);
    return (Found.Newest) found;
  }

  private static String nothing(Found found) {
    assertThat(found).isInstanceOf(Found.Nothing.class);
    return ((Found.Nothing) found).sentence();
  }

  @Test
  void theHighestEpochOfAllSeatsCounts() {
    RingMap late = map(2_000_005, 1, 2);
    Found.Newest found =
        newest(
            NewestMap.among(
                List.of(says(1, map(1_000_009, 1, 2)), says(2, late)),
                map(2_000_001, 1, 2),
                Set.of()));
    assertThat(found.map()).isSameAs(late);
    assertThat(found.mayGoOn()).isTrue();
  }

  /** It may have acknowledged by a map that it alone has seen. */
  @Test
  void aSeatThatIsMissingForbidsIt() {
    List<SeatAnswer> answers = List.of(says(1, map(1_000_005, 1, 2, 3)));
    Found.Newest found = newest(NewestMap.among(answers, null, Set.of("s2")));
    assertThat(found.mayGoOn()).isFalse();
    assertThat(found.missingServers()).containsExactly("s2", "s3");
    assertThat(newest(NewestMap.among(answers, null, Set.of("s2", "s3"))).mayGoOn()).isTrue();
  }

  /** A seat that joined late is missing by the newest map, although others do not know it. */
  @Test
  void theSeatsOfTheNewestMapMustAnswer() {
    Found.Newest found =
        newest(
            NewestMap.among(
                List.of(says(1, map(1_000_002, 1, 2)), says(2, map(1_000_003, 1, 2, 3))),
                null,
                Set.of()));
    assertThat(found.missingServers()).containsExactly("s3");
    assertThat(found.answered()).hasSize(2);
  }

  @Test
  void theMapOfTheLogIsOneOfThem() {
    Found.Newest found =
        newest(
            NewestMap.among(List.of(says(1, map(1_000_002, 1))), map(1_000_004, 1, 2), Set.of()));
    assertThat(found.map().epoch()).isEqualTo(1_000_004);
    assertThat(found.missingServers()).containsExactly("s2");
  }

  @Test
  void aSeatThatHasLeftNeedNotAnswer() {
    List<SeatEntry> seats = List.of(seat(1), seat(2).withStay(SeatEntry.Stay.LEFT));
    Found.Newest found =
        newest(NewestMap.among(List.of(says(1, map(7, 1_000_002, seats))), null, Set.of()));
    assertThat(found.mayGoOn()).isTrue();
  }

  @Test
  void whatContradictsItselfIsRefused() {
    assertThat(nothing(NewestMap.among(List.of(), null, Set.of()))).contains("no seat");
    List<SeatAnswer> twoClusters =
        List.of(says(1, map(1_000_002, 1)), says(2, map(8, 1_000_003, List.of(seat(2)))));
    assertThat(nothing(NewestMap.among(twoClusters, null, Set.of()))).contains("cluster");
    List<SeatAnswer> twoMaps = List.of(says(1, map(1_000_002, 1)), says(2, map(1_000_002, 1, 2)));
    assertThat(nothing(NewestMap.among(twoMaps, null, Set.of()))).contains("two managers");
    assertThat(nothing(NewestMap.among(List.of(says(1, map(1_000_002, 1))), null, Set.of("s9"))))
        .contains("no server 's9'");
  }
}
