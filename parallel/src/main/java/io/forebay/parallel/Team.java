// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the threads of one group. The threads <em>meet</em>: each brings one object,
 * and when all have come each gets the objects of all. Messages between two ranks are in its
 * mailbox. Guarded by the lock of the job.
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

  private final ThreadJob job;
  private final int[] nodes;
  private final int[] worldRanks;
  private final Mailbox mailbox;
  private Meeting meeting;

  Team(ThreadJob job, int[] nodes, int[] worldRanks) {
    this.job = job;
    this.nodes = nodes;
    this.worldRanks = worldRanks;
    mailbox = new Mailbox(job);
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

  Mailbox mailbox() {
    return mailbox;
  }

  /** Runs a task on a thread of its own. */
  Operation start(Runnable task) {
    AsideTask aside = new AsideTask(job, task);
    aside.start();
    return aside;
  }

  /** Returns when one of these has ended. */
  void awaitAny(List<? extends Operation> operations) {
    synchronized (job) {
      job.await(() -> anyDone(operations), () -> checkPeers(operations));
    }
  }

  private static boolean anyDone(List<? extends Operation> operations) {
    for (Operation operation : operations) {
      if (operation.isDone()) return true;
    }
    return false;
  }

  /** Throws if a rank has ended that all of these wait for. */
  private void checkPeers(List<? extends Operation> operations) {
    List<Integer> peers = new ArrayList<>();
    for (Operation operation : operations) {
      if (!(operation instanceof Mailbox.Posted posted)) return;
      peers.add(worldRanks[posted.peer()]);
    }
    job.checkAnyComing(peers, "a message");
  }
}
