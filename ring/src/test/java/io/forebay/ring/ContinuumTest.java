// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContinuumTest {
  /**
   * libketama's own test (its {@code ketama_test.c} with {@code ketama.servers}): the digest of a
   * million lines, each with a key's hash, its point and its server, is published in its {@code
   * test.sh}.
   */
  @Test
  void isWhatLibketamaPublishes() throws Exception {
    int[] memory = {600, 300, 200, 350, 1000, 800, 950, 100};
    List<Continuum.Node> nodes = new ArrayList<>();
    for (int i = 0; i < memory.length; i++) {
      nodes.add(new Continuum.Node(new SeatId(i + 1), "10.0.1." + (i + 1) + ":11211", memory[i]));
    }
    Continuum continuum = new Continuum(nodes);
    MessageDigest output = MessageDigest.getInstance("MD5");
    output.update((byte) '\n');
    for (int key = 0; key < 1_000_000; key++) {
      long hash = Continuum.hash(Integer.toString(key));
      int at = continuum.find(hash);
      String line = hash + " " + continuum.point(at) + " " + continuum.owner(at).name() + "\n";
      output.update(line.getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(HexFormat.of().formatHex(output.digest()))
        .isEqualTo("5672b131391f5aa2b280936aec1eea74");
  }

  /** What another implementation publishes in its tests, at equal weights (spymemcached). */
  @Test
  void isWhatSpymemcachedPublishes() {
    Continuum four = ports(4);
    assertThat(four.point(four.pointCount() - 1)).isEqualTo(4294887009L);
    assertThat(seatOf(four, "dustin")).isEqualTo(0);
    assertThat(seatOf(four, "noelani")).isEqualTo(2);
    assertThat(seatOf(four, "some other key")).isEqualTo(0);
    // These lie behind the last point.
    assertThat(seatOf(four, "V5XS8C8N")).isEqualTo(3);
    assertThat(seatOf(four, "8KR2DKR2")).isEqualTo(3);
    assertThat(seatOf(four, "L9KH6X4X")).isEqualTo(3);

    Continuum five = ports(5);
    assertThat(seatOf(five, "36")).isEqualTo(2);
    assertThat(seatOf(five, "10037")).isEqualTo(3);
    assertThat(seatOf(five, "22051")).isEqualTo(1);
    assertThat(seatOf(five, "49044")).isEqualTo(4);
    assertThat(seatOf(five, "some other key")).isEqualTo(4);
  }

  /**
   * The published code counts in single precision, which makes it one less for some numbers of
   * seats.
   */
  @Test
  void equalWeightsHave160PointsEach() {
    for (int seats = 1; seats <= 60; seats++) {
      assertThat(Continuum.digests(1, seats, seats)).as("%d seats", seats).isEqualTo(40);
    }
    assertThat(Continuum.digests(1, 61, 61)).isEqualTo(39);
    assertThat(ports(7).pointCount()).isEqualTo(7 * 160);
  }

  @Test
  void pointsAreSharedByWeight() {
    assertThat(Continuum.digests(3, 4, 2)).isEqualTo(60);
    assertThat(Continuum.digests(1, 4, 2)).isEqualTo(20);
    assertThat(Continuum.digests(1, 1000, 2)).isEqualTo(0);
  }

  @Test
  void walkMeetsEverySeatOnceAndBeginsWithTheOwner() {
    Continuum continuum = ports(9);
    for (int key = 0; key < 1000; key++) {
      long hash = Continuum.hash("key " + key);
      List<SeatId> walk = continuum.walk(hash);
      assertThat(walk).hasSize(9).doesNotHaveDuplicates();
      assertThat(walk.get(0)).isEqualTo(continuum.owner(continuum.find(hash)).seat());
    }
  }

  private static Continuum ports(int count) {
    List<Continuum.Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new Continuum.Node(new SeatId(i), "127.0.0.1:" + (10000 + i), 1));
    }
    return new Continuum(nodes);
  }

  private static int seatOf(Continuum continuum, String key) {
    return continuum.owner(continuum.find(Continuum.hash(key))).seat().number();
  }
}
