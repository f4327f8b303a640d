// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import io.forebay.base.MonotonicClock;
import io.forebay.base.Timers;
import io.forebay.seat.consensus.Peer;
import io.forebay.seat.consensus.contract.ConsensusWorld;
import io.forebay.server.consensus.ConsensusProvider;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.testing.Ext4Volume;
import io.forebay.wire.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in this process, with real directories and sockets. Each process of tests has loopback
 * addresses of its own, so that no port is taken. One thread.
 */
final class TestGroup implements ConsensusWorld {
  static final UUID CLUSTER = UUID.fromString("5e1f1c1a-7d0b-4a54-9f1e-6a1f5b7c2d10");
  static final int SNAPSHOT_ENTRIES = 60;

  static final GroupTimes TIMES =
      new GroupTimes(
          Duration.ofMillis(300),
          Duration.ofMillis(600),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          SNAPSHOT_ENTRIES,
          4096);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PORT = 7171;

  /** Ids of nodes that no message reaches or leaves. */
  private static final Set<String> CUT_OFF = ConcurrentHashMap.newKeySet();

  static {
    for (String point : List.of("appendEntries", "requestVote", "installSnapshot")) {
      CodeInjectionForTesting.put("RaftServerImpl." + point, TestGroup::passOrCut);
    }
  }

  /** A node, and its present process if it runs. */
  static final class Node {
    final GroupConfig config;
    final List<String> stops = new ArrayList<>();
    Timers timers;
    RatisConsensus consensus;

    Node(GroupConfig config) {
      this.config = config;
    }
  }

  final List<Node> nodes = new ArrayList<>();
  private final Semaphore awake = new Semaphore(0);
  private final @Nullable Ext4Volume volume;
  private long awaitedSinceNanos;

  TestGroup(Path directory, int count) {
    this(directory, count, null, null);
  }

  TestGroup(Path directory, int count, GroupConfig.Tls tls) {
    this(directory, count, tls, null);
  }

  /** A group whose directories are on a volume of their own, of which the power can be cut. */
  TestGroup(Path directory, int count, Ext4Volume volume) {
    this(directory, count, null, volume);
  }

  private TestGroup(
      Path directory, int count, GroupConfig.@Nullable Tls tls, @Nullable Ext4Volume volume) {
    CUT_OFF.clear();
    this.volume = volume;
    for (int i = 0; i < count; i++) {
      Address.Inet address = address(i);
      nodes.add(
          new Node(
              new GroupConfig(
                  CLUSTER,
                  directory.resolve("n" + i),
                  "m" + i,
                  new GroupConfig.Addresses(address, "manager-" + i + ":7070"),
                  tls)));
    }
  }

  static Address.Inet address(int node) {
    long pid = ProcessHandle.current().pid();
    return new Address.Inet(
        "127.%d.%d.%d".formatted(1 + (pid >> 8) % 250, pid & 255, 1 + node), PORT);
  }

  private static boolean passOrCut(Object to, Object from, Object... message) {
    if (CUT_OFF.contains(to.toString()) || CUT_OFF.contains(from.toString())) {
      throw new IllegalStateException("cut off");
    }
    return false;
  }

  void found(int node, Bytes state) throws IOException {
    new RatisProvider().found(nodes.get(node).config, state);
  }

  void open(int number) throws IOException {
    Node node = nodes.get(number);
    node.timers = new Timers(MonotonicClock.system());
    ConsensusProvider.Environment environment =
        new ConsensusProvider.Environment(node.timers, awake::release, node.stops::add);
    node.consensus = RatisConsensus.open(node.config, environment, TIMES);
  }

  void kill(int number) {
    Node node = nodes.get(number);
    if (node.consensus != null) node.consensus.close();
    node.consensus = null;
  }

  Peer peer(int node) {
    return nodes.get(node).consensus.self();
  }

  /** How many snapshots the node's directory has. */
  long snapshots(int node) {
    try (Stream<Path> all = Files.walk(nodes.get(node).config.directory())) {
      return all.filter(each -> each.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
          .count();
    } catch (IOException | UncheckedIOException changed) {
      // A file went while it looked.
      return 0;
    }
  }

  /** Until something holds, which is bound to come. */
  void await(String what, BooleanSupplier holds) {
    for (long steps = 0; !holds.getAsBoolean(); steps++) {
      if (!step(steps)) throw new AssertionError(what + " did not happen");
    }
  }

  @Override
  public int nodes() {
    return nodes.size();
  }

  @Override
  public RatisConsensus consensus(int node) {
    return nodes.get(node).consensus;
  }

  @Override
  public boolean step(long steps) {
    long now = System.nanoTime();
    if (steps == 0) awaitedSinceNanos = now;
    boolean ran = false;
    for (Node node : nodes) {
      if (node.consensus == null) continue;
      ran |= node.consensus.poll();
      ran |= node.timers.runDue();
    }
    if (!ran) waitForWork();
    return now - awaitedSinceNanos < PATIENCE.toNanos();
  }

  private void waitForWork() {
    try {
      if (awake.tryAcquire(2, TimeUnit.MILLISECONDS)) awake.drainPermits();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void restart(int node) throws IOException {
    kill(node);
    open(node);
  }

  @Override
  public boolean cutPower() throws IOException {
    if (volume == null) return false;
    volume.cutPower();
    for (int i = 0; i < nodes.size(); i++) kill(i);
    volume.restart();
    for (int i = 0; i < nodes.size(); i++) open(i);
    return true;
  }

  @Override
  public void isolate(int node) {
    CUT_OFF.add(peer(node).id());
  }

  @Override
  public void heal() {
    CUT_OFF.clear();
  }

  @Override
  public int tooLongBytes() {
    return EngineSettings.ENTRY_BYTES_MAX;
  }

  @Override
  public int snapshotCommands() {
    return SNAPSHOT_ENTRIES;
  }

  @Override
  public void close() {
    for (int i = 0; i < nodes.size(); i++) kill(i);
    if (volume == null) return;
    try {
      volume.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Path target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) Files.createDirectories(target);
        else Files.copy(each, target);
      }
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
  }
}
