// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.core.content.write.WriteCall;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.fake.FakeRing;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.ring.Instance;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The client keeps its own bounds and the servers'. */
class ClientLimitsTest {
  private static final Identity ROOT = Identity.root();
  private static final int PIECE_BYTES = 64 << 10;

  @Test
  void noMoreBytesAreUnansweredThanAServerAllows() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    world.ring.credit(3L * PIECE_BYTES, 1 << 20);
    ClientCore client = world.started("node");
    OpenFile file = create(world, client);
    world.ring.meddle((seat, request) -> request instanceof Data.Put ? FakeRing.SILENCE : null);
    write(file, new byte[10 * PIECE_BYTES], 0);
    world.pass(1_000_000_000L);
    assertThat(puts(world)).hasSize(3);
  }

  @Test
  void piecesAreAsShortAsAServerWantsThem() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    world.ring.credit(1 << 20, 10_000);
    ClientCore client = world.started("node");
    OpenFile file = create(world, client);
    write(file, new byte[100_000], 0);
    world.get(file.sync());
    assertThat(puts(world)).hasSize(10);
  }

  @Test
  void theWindowOfAClientIsKept() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(3, 1, 0);
    ClientCore client = world.started("node");
    OpenFile file = create(world, client);
    world.ring.meddle((seat, request) -> request instanceof Data.Put ? FakeRing.SILENCE : null);
    write(file, new byte[40 * PIECE_BYTES], 0);
    world.pass(1_000_000_000L);
    assertThat(puts(world)).hasSize((1 << 20) / PIECE_BYTES);
  }

  @Test
  void aSilentSeatIsAskedAgain() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(2, 2, 0);
    ClientCore client = world.started("node");
    int[] silent = {2};
    world.ring.meddle(
        (seat, request) ->
            request instanceof Names.Request && silent[0]-- > 0 ? FakeRing.SILENCE : null);
    int before = world.ring.changesDone("scratch");
    world.get(
        client.change(ROOT, root -> new Names.MakeDirectory(root, "d", 0755), Names.NodeIs.class));
    assertThat(world.ring.changesDone("scratch")).isEqualTo(before + 1);
  }

  @Test
  void aSeatThatHasNotHeardOfTheInstanceIsAskedAgain() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    int[] unaware = {3};
    world.ring.meddle(
        (seat, request) ->
            request instanceof Names.Request && unaware[0]-- > 0
                ? new Replies.Failed(ErrorCode.UNKNOWN_INSTANCE, "there is none")
                : null);
    ClientCore client = world.started("node");
    assertThat(world.get(client.list(ROOT, "", "", 1)).entries()).isEmpty();
  }

  @Test
  void nobodyIsAskedForEver() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    ClientCore client = world.started("node");
    world.network.kill("host1");
    assertThat(world.failure(client.lookUp(ROOT, "", true)))
        .hasMessageContaining("seat 1, home of group 1x1,")
        .hasMessageContaining("given up after 30.0 s");
  }

  @Test
  void lostBytesAreNamed() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(2, 2, 0);
    ClientCore client = world.started("node");
    OpenFile file = create(world, client);
    write(file, new byte[1000], 0);
    world.get(file.sync());
    world.ring.damageAll();
    assertThat(world.failure(file.read(0, ByteBuffer.allocate(10))).code())
        .isEqualTo(ErrorCode.GONE);
  }

  @Test
  void eachNodeHasATreeOfItsOwnWithPrivateAccess() throws IOException {
    SimulatedWorld world = new SimulatedWorld(3, 5);
    world.ring.addInstance("private", 2, 0, Instance.Access.PRIVATE, SimulatedWorld.STRIPES);
    ClientConfig.Sizes sizes = ClientConfig.Sizes.DEFAULT;
    ClientCore a = world.client(world.config("node-a", "private", sizes));
    ClientCore b = world.client(world.config("node-b", "private", sizes));
    world.get(a.start());
    world.get(b.start());
    OpenFile file = create(world, a);
    write(file, new byte[5000], 0);
    world.get(file.close());
    assertThat(world.get(a.list(ROOT, "", "", 10)).entries()).hasSize(1);
    assertThat(world.get(b.list(ROOT, "", "", 10)).entries()).isEmpty();
  }

  @Test
  void aFileOfVeryManyPiecesIsPublishedAndReadInSeveralRequests() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
    ClientCore client = world.started("node");
    OpenFile file = create(world, client);
    int pieces = Names.PIECES_MAX + 100;
    byte[] expected = new byte[2 * pieces];
    for (int i = 0; i < pieces; i++) {
      expected[2 * i] = (byte) (i | 1);
      write(file, new byte[] {expected[2 * i]}, 2L * i);
    }
    world.get(file.close());
    assertThat(world.ring.publishes("scratch")).isEqualTo(2);
    OpenFile again =
        world.get(
            client.open(
                ROOT, root -> new Names.Open(root, "data", true, false, false, false, false, 0)));
    ByteBuffer target = ByteBuffer.allocate(2 * pieces);
    int count = world.get(again.read(0, target));
    assertThat(target.array()).isEqualTo(expected);
    assertThat(count).isEqualTo(2 * pieces - 1);
  }

  @Test
  void room() throws IOException {
    SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 3_000_000);
    ClientCore client = world.started("node");
    OpenFile file = create(world, client);
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      writes.add(write(file, new byte[100_000], i * 100_000L).acknowledged());
    }
    int kept = 0;
    for (CompletableFuture<Void> each : writes) {
      world.runUntil(each::isDone);
      if (!each.isCompletedExceptionally()) kept++;
      else assertThat(world.failure(each).code()).isEqualTo(ErrorCode.NO_SPACE);
    }
    assertThat(kept).isBetween(28, 30);
    world.get(file.sync());
  }

  private static List<Message> puts(SimulatedWorld world) {
    return world.ring.received.stream().filter(each -> each instanceof Data.Put).toList();
  }

  private static OpenFile create(SimulatedWorld world, ClientCore client) {
    return world.get(
        client.open(
            ROOT, root -> new Names.Open(root, "data", true, true, true, true, false, 0644)));
  }

  private static WriteCall write(OpenFile file, byte[] bytes, long offset) {
    return file.write(file.layout().cut(ByteBuffer.wrap(bytes), offset), offset, false);
  }
}
