// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the threads of one group. The threads <em>meet</em>: each brings one object,
 * and when all have come each gets the objects of all. Messages between two ranks wait here until
 * they are taken; each rank has at most one pending. Guarded by the lock of the job.
 */
final class Team {
  /** One gathering of all ranks. */
  private static final class Meeting {
    final @Nullable Object[] brought;
    final @Nullable String[] operations;
    int arrived;

    Meeting(int size) {
      brought = new @Nullable Object[size];
      operations = new @Nullable String[size];
    }
  }

  /** A message that its sender waits with. */
  static final class Message {
    final int from;
    final int to;
    final int tag;
    final MemorySegment memory;
    boolean taken;

    Message(int from, int to, int tag, MemorySegment memory) {
      this.from = from;
      this.to = to;
      this.tag = tag;
      this.memory = memory;
    }
  }

  private final ThreadJob job;
  private final int[] nodes;
  private final int[] worldRanks;
  private final Deque<Message> messages = new ArrayDeque<>();
  private Meeting meeting;

  Team(ThreadJob job, int[] nodes, int[] worldRanks) {
    this.job = job;
    this.nodes = nodes;
    this.worldRanks = worldRanks;
    meeting = new Meeting(worldRanks.length);
  }

  int size() {
    return worldRanks.length;
  }

  int node(int rank) {
    return nodes[rank];
  }

  /** The same team's ranks with these numbers, as a team of their own. */
  Team part(int[] ranks) {
    long[] partNodes = new long[ranks.length];
    int[] partRanks = new int[ranks.length];
    for (int i = 0; i < ranks.length; i++) {
      partNodes[i] = nodes[ranks[i]];
      partRanks[i] = worldRanks[ranks[i]];
    }
    return job.team(Nodes.numbered(partNodes), partRanks);
  }

  /**
   * Waits for all ranks.
   *
   * @return what each of them brought
   * @throws IllegalStateException on every rank, if they are not in the same operation
   */
  @Nullable Object[] meet(int rank, String operation, Object thing) {
    synchronized (job) {
      job.check();
      Meeting here = meeting;
      here.brought[rank] = thing;
      here.operations[rank] = operation;
      here.arrived++;
      if (here.arrived == size()) {
        meeting = new Meeting(size());
        job.notifyAll();
      }
      // Once all have come a failure no longer matters here: all that is needed has been brought.
      job.await(() -> here.arrived == size(), () -> job.checkComing(missing(here), operation));
      requireSame(here);
      return here.brought;
    }
  }

  private List<Integer> missing(Meeting here) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < size(); rank++) {
      if (here.operations[rank] == null) missing.add(worldRanks[rank]);
    }
    return missing;
  }

  private void requireSame(Meeting here) {
    for (int rank = 1; rank < size(); rank++) {
      String first = here.operations[0];
      String other = here.operations[rank];
      if (first != null && !first.equals(other)) {
        throw new IllegalStateException(
            "ranks disagree: rank 0 is in %s, rank %d in %s".formatted(first, rank, other));
      }
    }
  }

  Message offer(int from, int to, int tag, MemorySegment memory) {
    synchronized (job) {
      job.check();
      Message message = new Message(from, to, tag, memory);
      messages.add(message);
      job.notifyAll();
      return message;
    }
  }

  void awaitTaken(Message message) {
    synchronized (job) {
      job.await(
          () -> message.taken, () -> job.checkComing(List.of(worldRanks[message.to]), "send"));
    }
  }

  /** Copies the first message of that rank and tag, when there is one. */
  long take(int from, int to, int tag, MemorySegment memory) {
    Message message = find(from, to, tag);
    long bytes = message.memory.byteSize();
    SharedMemory.requireFits(bytes, memory);
    MemorySegment.copy(message.memory, 0, memory, 0, bytes);
    synchronized (job) {
      message.taken = true;
      job.notifyAll();
    }
    return bytes;
  }

  private Message find(int from, int to, int tag) {
    Predicate<Message> wanted = m -> m.from == from && m.to == to && m.tag == tag;
    synchronized (job) {
      job.await(
          () -> messages.stream().anyMatch(wanted),
          () -> job.checkComing(List.of(worldRanks[from]), "receive"));
      Message message = messages.stream().filter(wanted).findFirst().orElseThrow();
      messages.remove(message);
      return message;
    }
  }
}
