// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.VirtualTime.Processor;
import io.forebay.parallel.RankFailedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the ranks of one simulated program share: clock, network, store, and the first failure. */
final class SimulatedJob implements VirtualTime.Trouble {
  /** The failure is not a rank's own. */
  private static final int NO_RANK = -1;

  /** How many waits the report of a deadlock names. */
  private static final int WAITS_NAMED = 8;

  /** One rank. */
  static final class Rank {
    final int number;
    final Processor processor = new Processor();

    /** How many of its operations have ended. */
    long finished;

    /** Receives that are posted and whose message has not come. */
    int posted;

    /** Ranks of which a message has come that is not received yet. */
    int unexpected;

    private Rank(int number) {
      this.number = number;
    }
  }

  /** The short messages from one rank to another. */
  static final class Connection {
    int underWay;
    int unexpected;
    final Deque<Runnable> stalled = new ArrayDeque<>();
  }

  private final VirtualTime time = new VirtualTime(this);
  private final SimulatedMachine machine;
  private final SimulatedNetwork network;
  private final SimulatedStore store;
  private final Rank[] ranks;
  private final @Nullable Connection[] connections;
  private @Nullable Throwable failure;
  private int failedRank = NO_RANK;

  SimulatedJob(SimulatedMachine machine, int size) {
    this.machine = machine;
    network = new SimulatedNetwork(time, machine, size);
    store = new SimulatedStore(time, machine);
    ranks = new Rank[size];
    for (int rank = 0; rank < size; rank++) ranks[rank] = new Rank(rank);
    connections = new @Nullable Connection[size * size];
  }

  VirtualTime time() {
    return time;
  }

  SimulatedMachine machine() {
    return machine;
  }

  SimulatedNetwork network() {
    return network;
  }

  SimulatedStore store() {
    return store;
  }

  int size() {
    return ranks.length;
  }

  Rank rank(int number) {
    return ranks[number];
  }

  Connection connection(int from, int to) {
    int pair = from * ranks.length + to;
    Connection connection = connections[pair];
    if (connection == null) {
      connection = new Connection();
      connections[pair] = connection;
    }
    return connection;
  }

  /** Throws if a rank has failed. */
  void check() {
    Throwable reason = failure;
    if (reason != null) throw new RankFailedException(failedRank, reason.toString(), reason);
  }

  void fail(int rank, Throwable reason) {
    if (failure != null) return;
    failure = reason;
    failedRank = rank;
    time.wakeAll();
  }

  @Override
  public void allWait() {
    List<String> waits = time.waits();
    int named = Math.min(WAITS_NAMED, waits.size());
    String more = named < waits.size() ? ", and %d more".formatted(waits.size() - named) : "";
    String report = "all ranks wait: " + String.join(", ", waits.subList(0, named)) + more;
    fail(NO_RANK, new IllegalStateException(report));
  }

  @Override
  public void actionFailed(RuntimeException reason) {
    fail(NO_RANK, reason);
  }

  /** Throws the first failure as it was. */
  void throwFailure() throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException("the program failed", failure);
    }
  }
}
