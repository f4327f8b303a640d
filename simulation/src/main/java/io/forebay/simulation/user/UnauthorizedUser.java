// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.base.proof.ContentKey;
import io.forebay.client.core.ClientCore;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.audit.Audit;
import io.forebay.simulation.world.ClientNode;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A user without rights to the files of others, with guessed numbers of files and records. It
 * publishes into the files and requests the records without having opened the files; homes and
 * seats must refuse that (P28).
 */
public final class UnauthorizedUser extends Audit {
  private static final long PAUSE_NANOS = 500_000_000L;
  private static final int CLIENT_NUMBER = 1_000_000;
  private static final long SEED = 0x7374_7261_6e67_6572L;
  private static final String HOST = "stranger";
  private static final int USER = 54321;
  private static final Identity WHO = new Identity(USER, List.of(USER));

  /** Files that users of a simulation make. */
  private static final int FILES = 4;

  private @Nullable ClientNode node;
  private long nextNanos;
  private int tries;

  public UnauthorizedUser(World world) {
    super(world);
  }

  public void act(String instance) {
    if (world().nanos() < nextNanos) return;
    nextNanos = world().nanos() + PAUSE_NANOS;
    if (node == null) {
      begin(instance);
      return;
    }
    String name = "file-" + tries++ % FILES;
    CompletableFuture<?> _ =
        node.core()
            .lookUp(Identity.root(), name, true)
            .thenCompose(found -> use(found.number(), name))
            .exceptionally(refused -> null);
  }

  private CompletableFuture<?> use(long file, String name) {
    if (tries % 2 == 0) return guess(file, name);
    return publish(file)
        .thenAccept(published -> broken("P28", "a stranger published into " + name));
  }

  /** Asks a seat for a record without a proof that its file may be read. */
  private CompletableFuture<?> guess(long file, String name) {
    ClientCore core = core();
    return core.ask(
            Identity.root(),
            root -> new Names.FindRuns(file, 0, Long.MAX_VALUE, 1),
            Names.RunsAre.class)
        .thenCombine(core.instance(), (runs, at) -> new Guess(at.id(), runs.runs(), name))
        .thenAccept(this::guess);
  }

  private void guess(Guess guess) {
    RingMap map = world().map();
    if (map == null || guess.runs.isEmpty()) return;
    Names.Run run = guess.runs.getFirst();
    Group group = map.group(run.group());
    SeatEntry home = group == null ? null : map.seat(group.home());
    if (home == null) return;
    Data.Get get =
        new Data.Get(
            run.group(), run.record(), guess.instance, 0, run.lengthBytes(), ContentKey.NO_PROOF);
    world()
        .network()
        .at(HOST)
        .connect(
            new Address.Inet(home.server(), SeatNode.PORT),
            Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, HOST, 0),
            new Request(get, guess.name));
  }

  private record Guess(int instance, List<Names.Run> runs, String name) {}

  /** Asks once. */
  private final class Request implements Handler {
    private final Data.Get get;
    private final String name;

    Request(Data.Get get, String name) {
      this.get = get;
      this.name = name;
    }

    @Override
    public void opened(Connection connection) {
      connection.send(1, get);
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      if (request == 1) connection.close("answered");
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      broken("P28", "a stranger got a record of " + name);
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }

  private ClientCore core() {
    if (node == null) throw new IllegalStateException("the stranger has not begun");
    return node.core();
  }

  private void begin(String instance) {
    ClientNode begun = new ClientNode(world(), CLIENT_NUMBER, instance, new SplittableRandom(SEED));
    world().add(begun);
    begun.start();
    CompletableFuture<?> _ = begun.core().start();
    node = begun;
  }

  private CompletableFuture<Names.Published> publish(long file) {
    Names.Publish nothing = new Names.Publish(file, false, false, List.of());
    return core().change(WHO, root -> nothing, Names.Published.class);
  }
}
