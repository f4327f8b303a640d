// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What every implementation of {@link Group} does, as programs for any number of ranks. */
final class GroupContract {
  private GroupContract() {}

  /** All programs by name, in an order that every rank of every process agrees on. */
  static Map<String, RankProgram> programs() {
    Map<String, RankProgram> programs = new LinkedHashMap<>();
    programs.put("ranks and nodes", GroupContract::ranksAndNodes);
    programs.put("broadcast", GroupContract::broadcast);
    programs.put("gather", GroupContract::gather);
    programs.put("reductions", GroupContract::reductions);
    programs.put("all-to-all", GroupContract::allToAll);
    programs.put("messages", GroupContract::messages);
    programs.put("exchange", GroupContract::exchange);
    programs.put("posted messages", GroupContract::postedMessages);
    programs.put("tasks aside", GroupContract::tasks);
    programs.put("split", GroupContract::split);
    programs.put("two threads", GroupContract::threads);
    programs.put("memory that cannot be shared", GroupContract::memory);
    programs.put("barrier", GroupContract::barrier);
    return programs;
  }

  private static void ranksAndNodes(Group group) {
    assertThat(group.rank()).isBetween(0, group.size() - 1);
    assertThat(group.node(0)).isZero();
    int highest = 0;
    for (int rank = 1; rank < group.size(); rank++) {
      assertThat(group.node(rank)).isBetween(0, highest + 1);
      highest = Math.max(highest, group.node(rank));
    }
    long[] ranks = group.allToAll(filled(group.size(), group.rank()));
    for (int rank = 0; rank < group.size(); rank++) assertThat(ranks[rank]).isEqualTo(rank);
  }

  private static long[] filled(int size, long value) {
    long[] values = new long[size];
    java.util.Arrays.fill(values, value);
    return values;
  }

  private static void broadcast(Group group) {
    for (int root = 0; root < group.size(); root++) {
      byte[] sent = pattern(root, 100 + root);
      byte[] mine = group.rank() == root ? sent : new byte[0];
      assertThat(group.broadcast(mine, root)).isEqualTo(sent);
      assertThat(group.broadcast(new byte[0], root)).isEmpty();
      MemorySegment memory = Arena.ofAuto().allocate(10_000);
      if (group.rank() == root) memory.fill((byte) (root + 1));
      group.broadcast(memory, root);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 9_999)).isEqualTo((byte) (root + 1));
    }
  }

  private static void gather(Group group) {
    int root = group.size() - 1;
    // The lengths differ, and one of them is nothing.
    List<byte[]> gathered = group.gather(pattern(group.rank(), 7 * group.rank()), root);
    List<byte[]> everywhere = group.allGather(pattern(group.rank(), 7 * group.rank()));
    assertThat(gathered).hasSize(group.rank() == root ? group.size() : 0);
    assertThat(everywhere).hasSize(group.size());
    for (int rank = 0; rank < group.size(); rank++) {
      assertThat(everywhere.get(rank)).isEqualTo(pattern(rank, 7 * rank));
      if (group.rank() == root) assertThat(gathered.get(rank)).isEqualTo(pattern(rank, 7 * rank));
    }
  }

  private static void reductions(Group group) {
    int size = group.size();
    long[] mine = {group.rank(), -group.rank(), 1L << 40};
    assertThat(group.allReduce(mine, Reduction.MIN)).containsExactly(0, -(size - 1), 1L << 40);
    assertThat(group.allReduce(mine, Reduction.MAX)).containsExactly(size - 1, 0, 1L << 40);
    long sum = size * (size - 1L) / 2;
    assertThat(group.allReduce(mine, Reduction.SUM)).containsExactly(sum, -sum, size * (1L << 40));
    assertThat(mine).as("own values stay").containsExactly(group.rank(), -group.rank(), 1L << 40);
    double[] fractions = {group.rank() + 0.5};
    assertThat(group.allReduce(fractions, Reduction.MAX)).containsExactly(size - 0.5);
    assertThat(group.allReduce(fractions, Reduction.SUM)).containsExactly(sum + size * 0.5);
    assertThat(group.allReduce(new long[0], Reduction.SUM)).isEmpty();
    long[] all = group.allGather(new long[] {group.rank(), 1L << 40});
    assertThat(all).hasSize(2 * size);
    for (int other = 0; other < size; other++) {
      assertThat(all[2 * other]).isEqualTo(other);
      assertThat(all[2 * other + 1]).isEqualTo(1L << 40);
    }
    assertThat(group.allGather(new long[0])).isEmpty();
  }

  private static void allToAll(Group group) {
    int size = group.size();
    long[] sendBytes = new long[size];
    long total = 0;
    for (int to = 0; to < size; to++) {
      sendBytes[to] = blockBytes(group.rank(), to);
      total += sendBytes[to];
    }
    long[] receiveBytes = group.allToAll(sendBytes);
    MemorySegment send = Arena.ofAuto().allocate(total + 1);
    long at = 0;
    for (int to = 0; to < size; to++) {
      byte[] block = pattern(group.rank() * size + to, (int) sendBytes[to]);
      MemorySegment.copy(block, 0, send, ValueLayout.JAVA_BYTE, at, block.length);
      at += block.length;
    }
    MemorySegment receive =
        Arena.ofAuto().allocate(java.util.Arrays.stream(receiveBytes).sum() + 1);
    group.allToAll(send, sendBytes, receive, receiveBytes);
    requireBlocks(group, receive, receiveBytes);
    // With bounds that fit MPI's ints, and that do not.
    for (long bound : new long[] {4000L * size, 1L << 40}) {
      receive.fill((byte) 0);
      group.allToAll(send, sendBytes, receive, receiveBytes, bound);
      requireBlocks(group, receive, receiveBytes);
    }
  }

  private static void requireBlocks(Group group, MemorySegment received, long[] receiveBytes) {
    int size = group.size();
    long at = 0;
    for (int from = 0; from < size; from++) {
      assertThat(receiveBytes[from]).isEqualTo(blockBytes(from, group.rank()));
      assertThat(received.asSlice(at, receiveBytes[from]).toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(pattern(from * size + group.rank(), (int) receiveBytes[from]));
      at += receiveBytes[from];
    }
  }

  private static long blockBytes(int from, int to) {
    return (from + 2L * to) % 4 * 1000;
  }

  private static void messages(Group group) {
    // A chain: each rank waits for the one before. Two tags are told apart, order is kept.
    MemorySegment memory = Arena.ofAuto().allocate(64);
    int rank = group.rank();
    if (rank > 0) {
      assertThat(group.receive(rank - 1, 1, memory)).isEqualTo(8);
      assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(rank - 1);
      assertThat(group.receive(rank - 1, 1, memory)).isEqualTo(16);
      assertThat(group.receive(rank - 1, 2, memory)).isZero();
    }
    if (rank + 1 < group.size()) {
      memory.set(ValueLayout.JAVA_LONG, 0, rank);
      group.send(rank + 1, 1, memory.asSlice(0, 8));
      group.send(rank + 1, 1, memory.asSlice(0, 16));
      group.send(rank + 1, 2, memory.asSlice(0, 0));
    }
  }

  private static void exchange(Group group) {
    int size = group.size();
    int next = (group.rank() + 1) % size;
    int before = (group.rank() + size - 1) % size;
    // Large enough that no library keeps it in a buffer of its own.
    int words = 100_000;
    MemorySegment send = Arena.ofAuto().allocate(words * 8L, 8);
    MemorySegment receive = Arena.ofAuto().allocate(words * 8L, 8);
    for (int i = 0; i < words; i++) {
      send.setAtIndex(ValueLayout.JAVA_LONG, i, group.rank() * 1_000_000L + i);
    }
    assertThat(group.exchange(next, send, before, receive, 5)).isEqualTo(words * 8L);
    assertThat(receive.getAtIndex(ValueLayout.JAVA_LONG, words - 1))
        .isEqualTo(before * 1_000_000L + words - 1);
  }

  /** Every rank sends every rank, itself included, a short and a long message with each tag. */
  private static void postedMessages(Group group) {
    int size = group.size();
    long[] lengths = {0, 8, 800_000};
    List<Operation> all = new ArrayList<>();
    List<MemorySegment> received = new ArrayList<>();
    for (int from = 0; from < size; from++) {
      for (long length : lengths) {
        MemorySegment memory = Arena.ofAuto().allocate(length, 8);
        received.add(memory);
        all.add(group.postReceive(from, 3, memory));
      }
    }
    for (int to = size - 1; to >= 0; to--) {
      for (long length : lengths) {
        MemorySegment memory = Arena.ofAuto().allocate(length, 8);
        memory.fill((byte) (group.rank() * 16 + to));
        all.add(group.postSend(to, 3, memory));
      }
    }
    while (!all.isEmpty()) {
      group.awaitAny(all);
      assertThat(all.removeIf(Operation::isDone)).isTrue();
    }
    for (int from = 0; from < size; from++) {
      for (int i = 1; i < lengths.length; i++) {
        MemorySegment memory = received.get(from * lengths.length + i);
        byte expected = (byte) (from * 16 + group.rank());
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo(expected);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, lengths[i] - 1)).isEqualTo(expected);
      }
    }
    group.barrier();
  }

  /** A task goes on while messages arrive, and its end is seen among theirs. */
  private static void tasks(Group group) {
    MemorySegment memory = Arena.ofAuto().allocate(8);
    AtomicLong result = new AtomicLong();
    Operation task = group.postTask(() -> result.set(7));
    Operation receive = group.postReceive(group.rank(), 4, memory);
    group.await(task);
    assertThat(result).hasValue(7);
    MemorySegment message = Arena.ofAuto().allocate(8);
    message.set(ValueLayout.JAVA_LONG, 0, 11);
    Operation send = group.postSend(group.rank(), 4, message);
    group.await(receive);
    group.await(send);
    assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(11);
  }

  private static void split(Group group) {
    int size = group.size();
    try (Group part = group.split(group.rank() % 2)) {
      assertThat(part.rank()).isEqualTo(group.rank() / 2);
      assertThat(part.size()).isEqualTo(group.rank() % 2 == 0 ? (size + 1) / 2 : size / 2);
      List<byte[]> ranks = part.allGather(new byte[] {(byte) group.rank()});
      for (int i = 0; i < part.size(); i++) {
        assertThat(ranks.get(i)[0]).isEqualTo((byte) (2 * i + group.rank() % 2));
      }
    }
    try (Group node = group.splitByNode()) {
      for (int rank = 0; rank < node.size(); rank++) assertThat(node.node(rank)).isZero();
      long nodes = group.allReduce(node.rank() == 0 ? 1 : 0, Reduction.SUM);
      assertThat(group.node(size - 1)).isLessThan((int) nodes);
    }
  }

  private static void threads(Group group) {
    if (!group.allowsThreads()) return;
    int times = 20;
    AtomicLong heard = new AtomicLong();
    try (Group second = group.split(0)) {
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < times; i++) {
                      heard.addAndGet(second.allReduce(1, Reduction.SUM));
                    }
                  });
      for (int i = 0; i < times; i++) {
        assertThat(group.allReduce(2, Reduction.SUM)).isEqualTo(2L * group.size());
      }
      try {
        other.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    assertThat(heard).hasValue((long) times * group.size());
  }

  private static void memory(Group group) {
    MemorySegment heap = MemorySegment.ofArray(new byte[8]);
    long[] none = new long[group.size()];
    assertThatThrownBy(() -> group.send(0, 0, heap)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> group.allToAll(heap, none, heap, none))
        .isInstanceOf(IllegalArgumentException.class);
    MemorySegment shared = Arena.ofAuto().allocate(8);
    long[] tooLong = filled(group.size(), 9);
    assertThatThrownBy(() -> group.allToAll(shared, tooLong, shared, none))
        .isInstanceOf(IllegalArgumentException.class);
    long[] toFirst = new long[group.size()];
    toFirst[0] = 8;
    assertThatThrownBy(() -> group.allToAll(shared, toFirst, shared, none, 7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> group.send(group.size(), 0, shared))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void barrier(Group group) {
    // What is sent before a barrier from a rank that comes late is there behind it.
    MemorySegment memory = Arena.ofAuto().allocate(8);
    for (int late = 0; late < group.size(); late++) {
      long before = group.rank() == late ? 1 : 0;
      group.barrier();
      assertThat(group.allReduce(before, Reduction.SUM)).isEqualTo(1);
    }
    group.broadcast(memory, 0);
  }

  static byte[] pattern(int seed, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) bytes[i] = (byte) (31 * seed + i);
    return bytes;
  }
}
