// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingPath;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.DrainSpec;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** A calm cluster with an instance that is drained by some policy, and somebody who uses it. */
final class DrainedWorld implements SimulatedBackingStore.Watcher {
  static final long SECOND = 1_000_000_000L;
  private static final int PIECE_BYTES = 16 * 1024;

  final World world;

  /** The files that attempts began with, and those that got their names, in order. */
  final List<Long> begun = new ArrayList<>();

  final List<BackingPath> named = new ArrayList<>();
  private final LoneClient client;
  private final ClientCore core;

  DrainedWorld(String policy) {
    world = new World(WorldOptions.CALM, 1);
    client = new LoneClient(world, "client");
    world.start();
    new Administrator(world)
        .createInstance("drained", 2, false, "continue", new DrainSpec("null:", policy));
    world.store().watch(this);
    core = client.start("drained");
    client.get(core.start());
  }

  /** Another instance in the same world. */
  private DrainedWorld(World world, String name, DrainSpec drain) {
    this.world = world;
    new Administrator(world).createInstance(name, 2, false, "continue", drain);
    client = new LoneClient(world, "client of " + name);
    core = client.start(name);
    client.get(core.start());
  }

  DrainedWorld over(String policy) {
    return new DrainedWorld(world, "over", new DrainSpec("null:", policy).asOver());
  }

  /** Another one with the same store, of which it sees nothing. */
  DrainedWorld after(String policy) {
    return new DrainedWorld(world, "after", new DrainSpec("null:", policy));
  }

  private OpenFile open(String name, boolean writes) {
    return client.get(
        core.open(
            Identity.root(),
            root -> new Names.Open(root, name, true, writes, writes, false, writes, 0644)));
  }

  /** Writes a file of that text and closes it; gives its number. */
  long write(String name, String text) {
    OpenFile file = open(name, true);
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    client.get(file.write(file.layout().cut(bytes, 0), 0, false).acknowledged());
    client.get(file.close());
    return file.number();
  }

  String read(String name) {
    OpenFile file = open(name, false);
    ByteBuffer bytes = ByteBuffer.allocate(PIECE_BYTES);
    int length = client.get(file.read(0, bytes));
    client.get(file.close());
    return new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
  }

  void change(LongFunction<Names.Change> change) {
    client.get(core.change(Identity.root(), change, Replies.Done.class));
  }

  void makeDirectory(String name) {
    client.get(
        core.change(
            Identity.root(),
            root -> new Names.MakeDirectory(root, name, 0755),
            Names.NodeIs.class));
  }

  List<String> list(String path) {
    return client.get(core.list(Identity.root(), path, "", 1000)).entries().stream()
        .map(Names.NamedNode::name)
        .toList();
  }

  /** Writes a file of so many bytes and closes it; gives its number. */
  long write(String name, int bytes) {
    OpenFile file =
        client.get(
            core.open(
                Identity.root(),
                root -> new Names.Open(root, name, true, true, true, false, false, 0644)));
    for (int at = 0; at < bytes; at += PIECE_BYTES) {
      ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE_BYTES, bytes - at));
      client.get(file.write(file.layout().cut(piece, at), at, false).acknowledged());
    }
    client.get(file.close());
    return file.number();
  }

  void drainAll() {
    client.get(core.ask(Identity.root(), root -> new Names.Drain(root, "/"), Names.DrainIs.class));
  }

  Names.LedgerIs ledger() {
    return client.get(
        core.ask(Identity.root(), root -> new Names.GetLedger(0, 1000), Names.LedgerIs.class));
  }

  boolean allDurable() {
    return ledger().entries().stream().allMatch(each -> each.state() == Names.DrainState.DURABLE);
  }

  @Override
  public void begun(AttemptId attempt) {
    AttemptId.Origin origin = attempt.origin();
    if (origin != null) begun.add(origin.file().number());
  }

  @Override
  public void named(BackingPath name, StoredContent content) {
    named.add(name);
  }

  @Override
  public void misused(String rule, String sentence) {
    throw new IllegalStateException(rule + ": " + sentence);
  }
}
