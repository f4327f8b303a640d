package io.forebay.simulation;

import io.forebay.backing.AttemptId;
import io.forebay.backing.StorePath;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.DrainSpec;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A calm cluster with an instance that is drained by some policy, and somebody who uses it. */
final class DrainedWorld implements SimulatedStore.Watcher {
  static final long SECOND = 1_000_000_000L;
  private static final int PIECE_BYTES = 16 * 1024;

  final World world = new World(WorldOptions.CALM, 1);

  /** The files that attempts began with, and those that got their names, in order. */
  final List<Long> begun = new ArrayList<>();

  final List<StorePath> named = new ArrayList<>();
  private final LoneClient client = new LoneClient(world, "client");
  private final ClientCore core;

  DrainedWorld(String policy) {
    world.start();
    new Administrator(world)
        .createInstance("drained", 2, false, "degrade", new DrainSpec("null:", policy));
    world.store().watch(this);
    core = client.start("drained");
    client.get(core.start());
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
  public void named(StorePath name, StoredContent content) {
    named.add(name);
  }

  @Override
  public void misused(String rule, String sentence) {
    throw new IllegalStateException(rule + ": " + sentence);
  }
}
