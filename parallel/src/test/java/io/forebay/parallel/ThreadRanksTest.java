// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ThreadRanksTest {
  @TestFactory
  List<DynamicTest> contract() {
    List<DynamicTest> tests = new ArrayList<>();
    GroupContract.programs()
        .forEach(
            (name, program) -> {
              for (int size : new int[] {1, 2, 4, 9}) {
                tests.add(
                    DynamicTest.dynamicTest(
                        name + ", " + size + " ranks", () -> ThreadRanks.run(size, 2, program)));
              }
            });
    return tests;
  }

  @Test
  void nodesAreAsWideAsToldAndKnownInParts() throws IOException {
    ThreadRanks.run(
        7,
        3,
        world -> {
          assertThat(world.node(2)).isZero();
          assertThat(world.node(3)).isEqualTo(1);
          assertThat(world.node(6)).isEqualTo(2);
          Group node = world.splitByNode();
          assertThat(node.size()).isEqualTo(world.rank() == 6 ? 1 : 3);
          // Ranks 1, 3, 5 of one colour run on two nodes.
          Group odd = world.split(world.rank() % 2);
          if (world.rank() % 2 == 1) {
            assertThat(List.of(odd.node(0), odd.node(1), odd.node(2))).containsExactly(0, 1, 1);
          }
        });
  }

  @Test
  void aRankThatFailsMakesTheOthersFailWithItsReason() {
    ConcurrentMap<Integer, Throwable> seen = new ConcurrentHashMap<>();
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    4,
                    world -> {
                      if (world.rank() == 2) throw new IOException("the disk is on fire");
                      try {
                        waitForever(world);
                      } catch (RankFailedException e) {
                        seen.put(world.rank(), e);
                        throw e;
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is on fire");
    assertThat(seen).containsOnlyKeys(0, 1, 3);
    assertThat(seen.values())
        .allSatisfy(e -> assertThat(e).hasMessageContaining("rank 2").hasMessageContaining("fire"));
  }

  /** Each rank waits in another kind of operation, and one of them in a part of the group. */
  private static void waitForever(Group world) {
    MemorySegment memory = Arena.ofAuto().allocate(8);
    switch (world.rank()) {
      case 0 -> world.barrier();
      case 1 -> world.receive(2, 0, memory);
      default -> world.send(2, 0, memory);
    }
  }

  @Test
  void aRankThatEndsEarlyIsNotWaitedFor() {
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    3,
                    world -> {
                      if (world.rank() != 1) world.barrier();
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("barrier waits for ranks [1]");
  }

  @Test
  void ranksInDifferentOperationsAreTold() {
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    2,
                    world -> {
                      if (world.rank() == 0) world.barrier();
                      else world.allGather(new byte[1]);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ranks disagree: rank 0 is in barrier, rank 1 in all-gather");
  }

  @Test
  void aMessageThatDoesNotFitIsRefused() {
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    2,
                    world -> {
                      MemorySegment memory = Arena.ofAuto().allocate(8);
                      if (world.rank() == 0) world.send(1, 0, memory);
                      else world.receive(0, 0, memory.asSlice(0, 4));
                    }))
        .hasMessageContaining("a message of 8 bytes for memory of 4");
  }

  @Test
  void aPostedMessageOfAnotherLengthIsRefused() {
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    2,
                    world -> {
                      MemorySegment memory = Arena.ofAuto().allocate(8);
                      if (world.rank() == 0) world.await(world.postSend(1, 0, memory));
                      else world.await(world.postReceive(0, 0, Arena.ofAuto().allocate(9)));
                    }))
        .hasMessageContaining("a message of 8 bytes for memory of 9");
  }

  @Test
  void postedMessagesOfARankThatEndedAreNotWaitedFor() {
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    3,
                    world -> {
                      if (world.rank() == 1) return;
                      MemorySegment memory = Arena.ofAuto().allocate(8);
                      world.await(world.postReceive(1, 0, memory));
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a message waits for ranks [1]");
  }

  @Test
  void postedMessagesFailWithTheRankThatFailed() {
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    2,
                    world -> {
                      if (world.rank() == 1) throw new IOException("the disk is on fire");
                      MemorySegment memory = Arena.ofAuto().allocate(8);
                      Operation receive = world.postReceive(1, 0, memory);
                      world.await(receive);
                    }))
        .hasMessageContaining("fire");
  }
}
