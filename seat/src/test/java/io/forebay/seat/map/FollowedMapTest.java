// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowedMapTest {
  private static final long MILLISECOND = 1_000_000;

  private long now;
  private final List<Long> fetched = new ArrayList<>();
  private final List<Maps.MapIs> arrived = new ArrayList<>();
  private final FollowedMap followed =
      new FollowedMap(
          new Timers(() -> now),
          new FollowedMap.Source() {
            @Override
            public void fetch(long haveEpoch) {
              fetched.add(haveEpoch);
            }

            @Override
            public void arrived(Maps.MapIs message) {
              arrived.add(message);
            }
          });

  @Test
  void asksForANewerMapAtOnceAndThenOnlyNowAndThen() {
    followed.fetchMap();
    followed.fetchMap();
    now += 99 * MILLISECOND;
    followed.fetchMap();
    assertThat(fetched).containsExactly(0L);
    now += MILLISECOND;
    followed.fetchMap();
    assertThat(fetched).containsExactly(0L, 0L);
  }

  @Test
  void sendsItsBytesOnlyToWhomTheyAreNew() {
    assertThat(followed.mapSince(0)).isEqualTo(new Maps.MapIs(0, Bytes.EMPTY));
    RingMap map = SmallRing.of(2).map();
    Bytes written = Bytes.copyOf(new byte[] {1, 2, 3});
    followed.become(map, written);
    assertThat(followed.mapSince(map.epoch() - 1)).isEqualTo(new Maps.MapIs(map.epoch(), written));
    assertThat(followed.mapSince(map.epoch())).isEqualTo(new Maps.MapIs(map.epoch(), Bytes.EMPTY));
  }

  @Test
  void tellsInstancesThatHaveEndedFromThoseThatMayBeNew() {
    assertThat(followed.mayBeNew(1)).isTrue();
    followed.become(
        SmallRing.of(2).instance(1, true).instance(1, false).map(), Bytes.copyOf(new byte[] {1}));
    assertThat(followed.hasEnded(1)).isTrue();
    assertThat(followed.instance(1)).isNull();
    assertThat(followed.instance(2)).isNotNull();
    assertThat(followed.mayBeNew(2)).isFalse();
    assertThat(followed.mayBeNew(3)).isTrue();
    // A number that the map lacks has not ended: the instance may be newer than the map.
    assertThat(followed.hasEnded(2)).isFalse();
    assertThat(followed.hasEnded(3)).isFalse();
    followed.become(SmallRing.of(2).instance(1, true).map(), Bytes.copyOf(new byte[] {1}));
    assertThat(followed.mayBeNew(1)).isFalse();
    assertThat(followed.mayBeNew(2)).isTrue();
  }

  @Test
  void knowsWhichSeatsAreAway() {
    SeatId second = new SeatId(2);
    assertThat(followed.away(second)).isFalse();
    assertThat(followed.serverOf(second)).isEqualTo(second.toString());
    followed.become(SmallRing.of(2).away(2).map(), Bytes.copyOf(new byte[] {1}));
    assertThat(followed.away(second)).isTrue();
    assertThat(followed.away(new SeatId(1))).isFalse();
    assertThat(followed.serverOf(second)).isEqualTo(second + " on server s2");
  }

  @Test
  void mapsOfOthersGoWhereMapsGo() {
    Maps.MapIs message = new Maps.MapIs(7, Bytes.EMPTY);
    followed.mapArrived(message);
    assertThat(arrived).containsExactly(message);
  }
}
