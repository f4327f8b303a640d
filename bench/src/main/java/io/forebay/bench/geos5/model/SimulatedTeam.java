// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.VirtualTime.Coroutine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the ranks of one group. The ranks <em>meet</em>: each brings one object, and
 * some time after the last has come each gets the objects of all.
 */
final class SimulatedTeam {
  /** How the bytes of all ranks add up to the bytes that pass one node. */
  enum Traffic {
    /** Every rank brings the same. */
    ONCE,
    /** What each brings goes to one rank, or to all. */
    SUM
  }

  private static final class Meeting {
    final @Nullable Object[] brought;
    final @Nullable String[] operations;
    final List<Coroutine> waiters = new ArrayList<>();
    int arrived;
    long lastNanos;
    long bytesMax;
    long bytesSum;
    long endNanos;

    Meeting(int size) {
      brought = new @Nullable Object[size];
      operations = new @Nullable String[size];
    }
  }

  private final SimulatedJob job;
  private final int[] worldRanks;
  private final int[] nodes;
  private final SimulatedMail mail;
  private Meeting meeting;

  SimulatedTeam(SimulatedJob job, int[] worldRanks) {
    this.job = job;
    this.worldRanks = worldRanks;
    nodes = new int[worldRanks.length];
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int i = 0; i < nodes.length; i++) {
      int node = job.network().node(worldRanks[i]);
      numbers.putIfAbsent(node, numbers.size());
      nodes[i] = numbers.getOrDefault(node, 0);
    }
    mail = new SimulatedMail(job, worldRanks);
    meeting = new Meeting(worldRanks.length);
  }

  SimulatedJob job() {
    return job;
  }

  int size() {
    return worldRanks.length;
  }

  int node(int rank) {
    return nodes[rank];
  }

  SimulatedMail mail() {
    return mail;
  }

  int worldRank(int rank) {
    return worldRanks[rank];
  }

  /** The same team's ranks with these numbers, as a team of their own. */
  SimulatedTeam part(int[] ranks) {
    int[] world = new int[ranks.length];
    for (int i = 0; i < ranks.length; i++) world[i] = worldRanks[ranks[i]];
    return new SimulatedTeam(job, world);
  }

  /**
   * Waits for all ranks.
   *
   * @param bytes what this rank brings, as bytes on the network
   * @return what each of them brought
   * @throws IllegalStateException on every rank, if they are not in the same operation
   */
  @Nullable Object[] meet(int rank, String operation, Object thing, Traffic traffic, long bytes) {
    job.check();
    VirtualTime time = job.time();
    Meeting here = meeting;
    here.brought[rank] = thing;
    here.operations[rank] = operation;
    here.lastNanos = Math.max(here.lastNanos, time.nanos());
    here.bytesMax = Math.max(here.bytesMax, bytes);
    here.bytesSum += bytes;
    here.arrived++;
    if (here.arrived == size()) {
      meeting = new Meeting(size());
      long messageNanos =
          job.machine().messages().sendNanos() + job.machine().messages().receiveNanos();
      long passing = traffic == Traffic.SUM ? here.bytesSum : here.bytesMax;
      here.endNanos = here.lastNanos + job.network().collectiveNanos(size(), passing, messageNanos);
      for (Coroutine waiter : here.waiters) time.wake(waiter, here.endNanos);
    } else {
      here.waiters.add(time.running());
      while (here.arrived < size()) {
        job.check();
        time.await(() -> operation + " of " + size());
      }
    }
    time.sleepUntil(here.endNanos);
    requireSame(here);
    return here.brought;
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
}
