// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.parallel.Group;
import io.forebay.parallel.Operation;
import io.forebay.parallel.RankFailedException;
import io.forebay.parallel.RankProgram;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulated ranks do what real ones do, in virtual time. */
class SimulatedGroupTest {
  private static long run(int ranks, RankProgram program) throws IOException {
    return new SimulatedRanks(SimulatedMachine.discover(), ranks).run(program);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 17})
  void collectives(int ranks) throws IOException {
    AtomicInteger ended = new AtomicInteger();
    run(
        ranks,
        group -> {
          int rank = group.rank();
          assertThat(group.size()).isEqualTo(ranks);
          assertThat(group.node(rank)).isEqualTo(rank / 8);
          byte[] own = pattern(rank, 7 * rank);
          int root = ranks - 1;
          assertThat(group.broadcast(own, root)).isEqualTo(pattern(root, 7 * root));
          MemorySegment memory = Arena.ofAuto().allocate(100);
          if (rank == root) memory.fill((byte) 9);
          group.broadcast(memory, root);
          assertThat(memory.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 9);
          assertThat(group.gather(own, root)).hasSize(rank == root ? ranks : 0);
          List<byte[]> all = group.allGather(own);
          for (int i = 0; i < ranks; i++) assertThat(all.get(i)).isEqualTo(pattern(i, 7 * i));
          assertThat(group.allGather(new long[] {rank, 4}))
              .hasSize(2 * ranks)
              .endsWith(ranks - 1, 4);
          assertThat(group.allReduce(rank, Reduction.MAX)).isEqualTo(ranks - 1);
          assertThat(group.allReduce(rank, Reduction.MIN)).isZero();
          assertThat(group.allReduce(new double[] {0.5}, Reduction.SUM))
              .containsExactly(ranks * 0.5);
          long[] numbers = new long[ranks];
          Arrays.fill(numbers, rank);
          long[] turned = group.allToAll(numbers);
          for (int i = 0; i < ranks; i++) assertThat(turned[i]).isEqualTo(i);
          group.barrier();
          ended.incrementAndGet();
        });
    assertThat(ended).hasValue(ranks);
  }

  /** Blocks are short and long, so that both ways of sending are taken. */
  @Test
  void blocksFromAllToAll() throws IOException {
    run(
        11,
        group -> {
          int size = group.size();
          long[] sendBytes = new long[size];
          for (int to = 0; to < size; to++) sendBytes[to] = (group.rank() + 2L * to) % 4 * 10_000;
          long[] receiveBytes = group.allToAll(sendBytes);
          MemorySegment send = Arena.ofAuto().allocate(Arrays.stream(sendBytes).sum() + 1);
          MemorySegment receive = Arena.ofAuto().allocate(Arrays.stream(receiveBytes).sum() + 1);
          long at = 0;
          for (int to = 0; to < size; to++) {
            send.asSlice(at, sendBytes[to]).fill((byte) (group.rank() * size + to));
            at += sendBytes[to];
          }
          group.allToAll(send, sendBytes, receive, receiveBytes);
          at = 0;
          for (int from = 0; from < size; from++) {
            byte[] expected = new byte[(int) receiveBytes[from]];
            Arrays.fill(expected, (byte) (from * size + group.rank()));
            assertThat(receive.asSlice(at, receiveBytes[from]).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(expected);
            at += receiveBytes[from];
          }
          assertThatThrownBy(() -> group.allToAll(send, sendBytes, receive, receiveBytes, 1))
              .isInstanceOf(IllegalArgumentException.class);
        });
  }

  @Test
  void messagesKeepTheirOrderAndTags() throws IOException {
    run(
        9,
        group -> {
          int rank = group.rank();
          MemorySegment memory = Arena.ofAuto().allocate(40_000, 8);
          if (rank > 0) {
            // A long message before a short one, which would be there first.
            assertThat(group.receive(rank - 1, 1, memory)).isEqualTo(40_000);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(rank - 1);
            assertThat(group.receive(rank - 1, 1, memory)).isEqualTo(16);
            assertThat(group.receive(rank - 1, 2, memory)).isZero();
          }
          if (rank + 1 < group.size()) {
            memory.set(ValueLayout.JAVA_LONG, 0, rank);
            group.send(rank + 1, 1, memory);
            group.send(rank + 1, 1, memory.asSlice(0, 16));
            group.send(rank + 1, 2, memory.asSlice(0, 0));
          }
        });
  }

  /** The short ones are more than may be under way, and the sender changes its memory at once. */
  @Test
  void aSentShortMessageIsCopied() throws IOException {
    run(
        2,
        group -> {
          MemorySegment memory = Arena.ofAuto().allocate(8);
          for (long i = 0; i < 100; i++) {
            if (group.rank() == 0) {
              memory.set(ValueLayout.JAVA_LONG, 0, i);
              group.send(1, 0, memory);
            } else {
              group.receive(0, 0, memory);
              assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(i);
            }
          }
        });
  }

  @Test
  void exchangeWithOneselfAndOthers() throws IOException {
    run(
        5,
        group -> {
          MemorySegment send = Arena.ofAuto().allocate(100_000);
          MemorySegment receive = Arena.ofAuto().allocate(100_000);
          for (int step = 0; step < group.size(); step++) {
            int next = (group.rank() + step) % group.size();
            int before = (group.rank() + group.size() - step) % group.size();
            send.fill((byte) group.rank());
            assertThat(group.exchange(next, send, before, receive, 5)).isEqualTo(100_000);
            assertThat(receive.get(ValueLayout.JAVA_BYTE, 99_999)).isEqualTo((byte) before);
          }
        });
  }

  @Test
  void postedMessagesAndTasksEndInAnyOrder() throws IOException {
    run(
        10,
        group -> {
          List<Operation> all = new ArrayList<>();
          List<MemorySegment> received = new ArrayList<>();
          AtomicLong tasks = new AtomicLong();
          for (int from = 0; from < group.size(); from++) {
            for (long length : new long[] {0, 8, 80_000}) {
              MemorySegment memory = Arena.ofAuto().allocate(length, 8);
              received.add(memory);
              all.add(group.postReceive(from, 3, memory));
            }
            all.add(group.postTask(tasks::incrementAndGet));
          }
          for (int to = group.size() - 1; to >= 0; to--) {
            for (long length : new long[] {0, 8, 80_000}) {
              MemorySegment memory = Arena.ofAuto().allocate(length, 8);
              memory.fill((byte) (group.rank() * 16 + to));
              all.add(group.postSend(to, 3, memory));
            }
          }
          while (!all.isEmpty()) {
            group.awaitAny(all);
            assertThat(all.removeIf(Operation::isDone)).isTrue();
          }
          assertThat(tasks).hasValue(group.size());
          for (int from = 0; from < group.size(); from++) {
            byte expected = (byte) (from * 16 + group.rank());
            MemorySegment memory = received.get(3 * from + 2);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, 79_999)).isEqualTo(expected);
          }
        });
  }

  /** It asks for an operation that is done until another is: time must pass for it. */
  @Test
  void aRankMayPoll() throws IOException {
    long end =
        run(
            9,
            group -> {
              MemorySegment memory = Arena.ofAuto().allocate(1 << 20);
              if (group.rank() == 8) group.send(0, 0, memory);
              if (group.rank() > 0) return;
              Operation done = group.postTask(() -> {});
              group.await(done);
              Operation receive = group.postReceive(8, 0, memory);
              while (!receive.isDone()) group.awaitAny(List.of(done, receive));
            });
    assertThat(end).isPositive();
  }

  @Test
  void groupsWithinGroups() throws IOException {
    run(
        19,
        group -> {
          try (Group part = group.split(group.rank() % 2)) {
            assertThat(part.rank()).isEqualTo(group.rank() / 2);
            assertThat(part.allReduce(group.rank() % 2, Reduction.SUM))
                .isEqualTo(group.rank() % 2 == 0 ? 0 : part.size());
            MemorySegment memory = Arena.ofAuto().allocate(8);
            int next = (part.rank() + 1) % part.size();
            int before = (part.rank() + part.size() - 1) % part.size();
            part.exchange(next, memory, before, memory, 0);
          }
          try (Group node = group.splitByNode()) {
            assertThat(node.size()).isEqualTo(group.rank() < 16 ? 8 : 3);
            assertThat(node.node(node.size() - 1)).isZero();
          }
        });
  }

  @Test
  void misuseIsRefused() throws IOException {
    run(
        2,
        group -> {
          MemorySegment heap = MemorySegment.ofArray(new byte[8]);
          MemorySegment shared = Arena.ofAuto().allocate(8);
          assertThatThrownBy(() -> group.send(0, 0, heap))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> group.send(2, 0, shared))
              .isInstanceOf(IllegalArgumentException.class);
          if (group.rank() == 0) group.send(1, 0, shared);
          else {
            assertThatThrownBy(() -> group.receive(0, 0, shared.asSlice(0, 4)))
                .hasMessage("a message of 8 bytes for memory of 4");
          }
        });
    assertThatThrownBy(
            () ->
                run(
                    3,
                    group -> {
                      if (group.rank() == 1) group.allReduce(1, Reduction.SUM);
                      else group.barrier();
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ranks disagree: rank 0 is in barrier, rank 1 in all-reduce");
  }

  @Test
  void aRankThatFailsMakesTheOthersFail() {
    AtomicInteger told = new AtomicInteger();
    assertThatThrownBy(
            () ->
                run(
                    4,
                    group -> {
                      if (group.rank() == 2) throw new IOException("no space");
                      MemorySegment memory = Arena.ofAuto().allocate(8);
                      try {
                        if (group.rank() == 0) group.barrier();
                        else group.receive(2, 0, memory);
                      } catch (RankFailedException e) {
                        assertThat(e.failedRank()).isEqualTo(2);
                        told.incrementAndGet();
                        throw e;
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no space");
    assertThat(told).hasValue(3);
  }

  @Test
  void ranksThatWaitForEachOtherAreReported() {
    assertThatThrownBy(
            () ->
                run(
                    12,
                    group -> {
                      MemorySegment memory = Arena.ofAuto().allocate(8);
                      if (group.rank() == 3) group.receive(5, 6, memory);
                      else group.barrier();
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("all ranks wait: rank 0 in barrier of 12")
        .hasMessageContaining("rank 3 in receive from 5, tag 6")
        .hasMessageEndingWith("and 4 more");
  }

  @Test
  void aRankThatEndedIsWaitedForInVain() {
    assertThatThrownBy(
            () ->
                run(
                    2,
                    group -> {
                      if (group.rank() == 0) group.receive(1, 0, Arena.ofAuto().allocate(8));
                    }))
        .hasMessage("all ranks wait: rank 0 in receive from 1, tag 0");
  }

  private static byte[] pattern(int seed, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) bytes[i] = (byte) (31 * seed + i);
    return bytes;
  }
}
