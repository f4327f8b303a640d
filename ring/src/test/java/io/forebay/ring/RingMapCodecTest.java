// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RingMapCodecTest {
  @Test
  void aMapComesBackAsItWas() throws MalformedFields {
    RingMap map = someMap();
    RingMap back = RingMapCodec.read(RingMapCodec.write(map));
    assertThat(back.cluster()).isEqualTo(map.cluster());
    assertThat(back.term()).isEqualTo(map.term());
    assertThat(back.epoch()).isEqualTo(map.epoch());
    assertThat(back.seats()).isEqualTo(map.seats());
    assertThat(back.groups()).isEqualTo(map.groups());
    assertThat(back.instances()).isEqualTo(map.instances());
    assertThat(back.instance("scratch")).isEqualTo(map.instances().get(0));
    assertThat(back.instance(1)).isEqualTo(map.instances().get(0));
    assertThat(RingMapCodec.write(back)).isEqualTo(RingMapCodec.write(map));
  }

  @Test
  void anEmptyMapComesBackToo() throws MalformedFields {
    RingMap map = new RingMap(1, 2, 3, List.of(), List.of(), List.of());
    assertThat(RingMapCodec.read(RingMapCodec.write(map)).epoch()).isEqualTo(3);
  }

  @Test
  void everyBeginningOfAMapIsRefused() {
    byte[] bytes = RingMapCodec.write(someMap()).toArray();
    for (int length = 0; length < bytes.length; length++) {
      Bytes part = Bytes.copyOf(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> RingMapCodec.read(part)).isInstanceOf(MalformedFields.class);
    }
    Bytes longer = Bytes.copyOf(Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> RingMapCodec.read(longer))
        .isInstanceOf(MalformedFields.class)
        .hasMessageContaining("1 bytes too many");
  }

  /** Changed bytes are another map or malformed, and nothing else happens. */
  @Test
  void anyBytesAreAMapOrMalformed() {
    SplittableRandom random = new SplittableRandom(Rings.seed("anyBytesAreAMapOrMalformed"));
    byte[] good = RingMapCodec.write(someMap()).toArray();
    int malformed = 0;
    int rounds = 20_000;
    for (int round = 0; round < rounds; round++) {
      byte[] bytes = good.clone();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        RingMapCodec.write(RingMapCodec.read(Bytes.copyOf(bytes)));
      } catch (MalformedFields expected) {
        malformed++;
      }
    }
    assertThat(malformed).isBetween(rounds / 20, rounds - rounds / 20);
  }

  @Test
  void anotherVersionIsRefused() {
    byte[] bytes = RingMapCodec.write(someMap()).toArray();
    byte version = bytes[3]++;
    assertThatThrownBy(() -> RingMapCodec.read(Bytes.copyOf(bytes)))
        .hasMessage("a map of version %d, not %d", version + 1, version);
  }

  @Test
  void aMapThatContradictsItselfIsRefused() {
    List<SeatEntry> seats = Rings.seats(1, 1);
    List<Group> groups = RingArrangement.groupsFor(seats, 2).groups();
    assertThatThrownBy(() -> new RingMap(1, 1, 1, seats.subList(0, 1), groups, List.of()))
        .hasMessageContaining("contradicts itself");
  }

  static RingMap someMap() {
    List<SeatEntry> seats = Rings.seats(2, 2, 1);
    PlacementSpec spec = new PlacementSpec(PlacementSpec.Kind.STRIPES, 4096, 3);
    return Rings.map(seats, 3, Rings.instance(seats, 3, spec));
  }
}
