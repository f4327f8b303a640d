// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.drain.Seeds;
import io.forebay.drain.reorder.Reordering.Reordered;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReorderingTest {
  @Test
  void requestsThatDoNotTouchEachOtherAreStackedWhole() {
    Requests requests = new Requests(0);
    for (int request : new int[] {2, 0, 3, 1}) {
      requests.begin(1, request);
      for (int i = 0; i < 10; i++) requests.add(request * 1000L + i * 100L, 50, request, i * 50L);
    }
    Reordered reordered = Reordering.reorder(requests);
    assertThat(reordered.interleavedGroups()).isZero();
    assertThat(reordered.sortedExtents()).isZero();
    Pieces pieces = reordered.pieces();
    assertThat(pieces.count()).isEqualTo(40);
    for (int i = 0; i < 40; i++) {
      assertThat(pieces.offset(i)).isEqualTo(i * 100L);
      assertThat(pieces.source(i)).isEqualTo(i / 10);
      assertThat(pieces.sourceOffset(i)).isEqualTo(i % 10 * 50L);
    }
  }

  @Test
  void onlyInterleavedGroupsAreTakenApart() {
    Requests requests = new Requests(0);
    strided(requests, 5_000, 2);
    requests.begin(1, 9);
    for (int i = 0; i < 500; i++) requests.add(i * 10L, 5, 7, i);
    Reordered reordered = Reordering.reorder(requests);
    assertThat(reordered.interleavedGroups()).isOne();
    assertThat(reordered.sortedExtents()).isEqualTo(200);
    assertThat(reordered.pieces().count()).isEqualTo(700);
  }

  /** Several requests of a hundred extents each, that take turns. */
  private static void strided(Requests requests, long start, int count) {
    for (int request = 0; request < count; request++) {
      requests.begin(1, request);
      for (int i = 0; i < 100; i++) {
        requests.add(start + ((long) i * count + request) * 10, 10, request, i * 10L);
      }
    }
  }

  @Test
  void whatFollowsOnInFileAndSourceBecomesOnePiece() {
    Requests requests = new Requests(0);
    requests.begin(1, 1);
    requests.add(100, 10, 1, 0);
    requests.add(110, 10, 1, 10);
    requests.add(120, 10, 1, 25);
    requests.add(130, 10, 2, 35);
    Pieces pieces = Reordering.reorder(requests).pieces();
    assertThat(pieces.count()).isEqualTo(3);
    assertThat(pieces.lengthBytes(0)).isEqualTo(20);
    assertThat(pieces.dataBytes()).isEqualTo(40);
  }

  @Test
  void theHigherPublishCountsThenTheSequenceThenWhatWasAddedLater() {
    Requests requests = new Requests(0);
    requests.begin(2, 1);
    requests.add(0, 10, 1, 0);
    requests.begin(1, 2);
    requests.add(0, 20, 2, 0);
    requests.begin(1, -1); // Sequences have no sign: this is the highest of all.
    requests.add(15, 5, 3, 0);
    requests.add(12, 4, 4, 0);
    Pieces pieces = Reordering.reorder(requests).pieces();
    assertThat(sources(pieces, 20))
        .containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 4, 4, 4, 4, 3, 3, 3, 3);
  }

  @Test
  void offsetsMayBeAsWideAsTheyLike() {
    Requests requests = new Requests(0);
    for (int request = 99; request >= 0; request--) {
      requests.begin(1, request);
      long start = ((long) request << 56) | request;
      for (int i = 0; i < 10; i++) requests.add(start + i * 3L, 2, 1, i * 10L);
      requests.begin(1, 1_000 + request);
      for (int i = 0; i < 10; i++) requests.add(start + i * 3L + 2, 1, 2, i * 10L);
    }
    Pieces pieces = Reordering.reorder(requests).pieces();
    assertThat(pieces.count()).isEqualTo(2_000);
    assertThat(pieces.dataBytes()).isEqualTo(3_000);
    assertThat(pieces.endOffset()).isEqualTo(((99L << 56) | 99) + 30);
  }

  @Test
  void lengthsDoNotOverflowWhenPiecesAreJoined() {
    Pieces pieces = new Pieces(0);
    pieces.append(0, Integer.MAX_VALUE, 1, 0);
    pieces.append(Integer.MAX_VALUE, Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
    assertThat(pieces.count()).isEqualTo(2);
    assertThat(pieces.endOffset()).isEqualTo(2L * Integer.MAX_VALUE);
  }

  @Test
  void wrongExtentsAreRefused() {
    Requests requests = new Requests(0);
    assertThatThrownBy(() -> requests.add(0, 1, 0, 0)).isInstanceOf(IllegalStateException.class);
    requests.begin(1, 1);
    assertThatThrownBy(() -> requests.add(-1, 1, 0, 0)).hasMessageContaining("1 bytes at -1");
    assertThatThrownBy(() -> requests.add(0, 0, 0, 0)).hasMessageContaining("0 bytes at 0");
    assertThatThrownBy(() -> requests.add(Long.MAX_VALUE, 1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Reordering.reorder(requests).pieces().count()).isZero();
    Pieces pieces = new Pieces(0);
    pieces.append(10, 10, 0, 0);
    assertThatThrownBy(() -> pieces.append(19, 1, 0, 0)).hasMessageContaining("up to 20");
  }

  @Test
  void randomRequestsMatchAModelOfBytes() {
    Seeds.run(300, random -> compare(random, 1 + random.nextInt(2_000), 1 + random.nextInt(40)));
  }

  @Test
  void manyRandomRequestsMatchAModelOfBytes() {
    Seeds.run(5, random -> compare(random, 300_000, 3_000));
  }

  private static void compare(Random random, int fileBytes, int requestCount) {
    int[] newest = new int[fileBytes];
    long[] sourceOf = new long[fileBytes];
    Arrays.fill(newest, -1);
    Requests requests = new Requests(random.nextInt(100));
    // Publishes and sequences in an order that is that of their rank, added in any order.
    Integer[] ranks = new Integer[requestCount];
    Arrays.setAll(ranks, i -> i);
    Collections.shuffle(Arrays.asList(ranks), random);
    long shift = (long) random.nextInt(1 << 20) << 40;
    for (int rank : ranks) {
      requests.begin(rank / 3, rank % 3);
      int at = random.nextInt(fileBytes);
      int extents = random.nextInt(30);
      for (int i = 0; i < extents && at < fileBytes; i++) {
        int length = 1 + random.nextInt(Math.min(20, fileBytes - at));
        long sourceOffset = random.nextBoolean() ? at : random.nextInt(1000);
        requests.add(shift + at, length, rank, sourceOffset);
        for (int b = at; b < at + length; b++) {
          if (rank < newest[b]) continue;
          newest[b] = rank;
          sourceOf[b] = sourceOffset + b - at;
        }
        at += length + (random.nextBoolean() ? 0 : random.nextInt(30));
      }
    }
    Pieces pieces = Reordering.reorder(requests).pieces();
    long at = shift;
    long bytes = 0;
    for (int piece = 0; piece < pieces.count(); piece++) {
      assertThat(pieces.offset(piece)).isGreaterThanOrEqualTo(at);
      checkHole(newest, (int) (at - shift), (int) (pieces.offset(piece) - shift));
      at = pieces.offset(piece);
      for (; at < pieces.endOffset(piece); at++) {
        int b = (int) (at - shift);
        if (newest[b] != pieces.source(piece)
            || sourceOf[b] != pieces.sourceOffset(piece) + at - pieces.offset(piece)) {
          throw new AssertionError("byte " + b + " is of " + pieces.source(piece));
        }
        bytes++;
      }
    }
    checkHole(newest, (int) (at - shift), fileBytes);
    assertThat(pieces.dataBytes()).isEqualTo(bytes);
  }

  private static void checkHole(int[] newest, int from, int to) {
    for (int b = from; b < to; b++) {
      if (newest[b] >= 0) throw new AssertionError("byte " + b + " is missing");
    }
  }

  private static int[] sources(Pieces pieces, int fileBytes) {
    int[] sources = new int[fileBytes];
    for (int piece = 0; piece < pieces.count(); piece++) {
      Arrays.fill(
          sources, (int) pieces.offset(piece), (int) pieces.endOffset(piece), pieces.source(piece));
    }
    return sources;
  }
}
