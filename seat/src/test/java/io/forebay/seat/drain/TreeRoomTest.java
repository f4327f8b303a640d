// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.GroupCommand;
import io.forebay.ring.DrainSpec;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeRoomTest {
  private static final long SECOND = 1_000_000_000L;
  private static final DrainSpec DRAINED = new DrainSpec("file:/store", "");

  private final TestSeat seat = new TestSeat();
  private final TestTree tree = new TestTree(seat);

  private TreeRoom room(String keep) {
    return new TreeRoom(
        seat.basics(),
        tree,
        SmallRing.of(1).instance(1, false, DRAINED.keeping(keep)).map().instances().getFirst());
  }

  private long drained(String name) {
    long file = tree.write(name);
    tree.drain(file);
    seat.sleep(SECOND);
    return file;
  }

  private List<Long> released() {
    return tree.takeProposed().stream()
        .map(command -> ((GroupCommand.Release) command).files())
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void onlyWhatTheBackingStoreHasIsGivenUpTheOldestFirst() {
    TreeRoom room = room("");
    long first = drained("b");
    drained("a");
    tree.write("not drained");
    assertThat(room.free(tree.view(), 1)).isPositive();
    assertThat(released()).containsExactly(first);
  }

  @Test
  void withoutAPreferenceWhatIsDrainedMayGoAtOnce() {
    TreeRoom room = room("");
    long file = tree.write("a");
    tree.drain(file);
    assertThat(room.free(tree.view(), 1)).isPositive();
    assertThat(released()).containsExactly(file);
  }

  @Test
  void asMuchIsGivenUpAsIsAskedFor() {
    TreeRoom room = room("");
    long first = drained("a");
    long second = drained("b");
    drained("c");
    long one = room.free(tree.view(), 1);
    assertThat(released()).containsExactly(first);
    long third = drained("d");
    assertThat(room.free(tree.view(), one + 1)).isEqualTo(2 * one);
    assertThat(released()).hasSize(2).startsWith(second).doesNotContain(third);
    assertThat(room.free(tree.view(), 0)).isZero();
    assertThat(released()).isEmpty();
  }

  @Test
  void whatIsPreferredGoesLastAndNotAtOnce() {
    TreeRoom room = room("last=1");
    long old = drained("run.1");
    long newest = drained("run.2");
    assertThat(room.free(tree.view(), Long.MAX_VALUE)).isPositive();
    assertThat(released()).containsExactly(old);
    for (long nanos = 0; nanos < 5 * SECOND; nanos += SECOND) {
      assertThat(room.free(tree.view(), 1)).as("after %d", nanos).isZero();
      seat.sleep(SECOND);
    }
    assertThat(room.free(tree.view(), 1)).isPositive();
    assertThat(released()).containsExactly(newest);
  }

  @Test
  void aPauseInWhichNobodyWantsRoomBeginsTheWaitAnew() {
    TreeRoom room = room("last=1");
    drained("run.1");
    for (int i = 0; i < 10; i++) {
      assertThat(room.free(tree.view(), 1)).isZero();
      seat.sleep(2 * SECOND);
    }
  }
}
