// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.fake.SimulatedWorld;
import io.forebay.ring.Instance;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Servers that answer, but later than any healthy server would. */
class SlowServersTest {
  private static final Identity ROOT = Identity.root();
  private static final long SECOND = 1_000_000_000L;

  /** A message takes so long each way that no answer comes in the time for an answer. */
  private static SimulatedWorld slowWorld() throws IOException {
    long seed = Long.getLong("forebay.seed", 7);
    MemoryOptions slow = new MemoryOptions(4 * SECOND, 5 * SECOND, 0, 0);
    SimulatedWorld world = new SimulatedWorld(2, seed, slow);
    world.ring.addInstance("scratch", 2, 0, Instance.Access.SHARED, SimulatedWorld.STRIPES);
    world.ring.meddle((seat, request) -> pong(request));
    return world;
  }

  private static @Nullable Message pong(Message request) {
    return request instanceof Maps.Ping ? new Replies.Done() : null;
  }

  private static Names.Open creation(long root) {
    return new Names.Open(root, "data", true, true, true, false, false, 0644);
  }

  @Test
  void namesAreChangedAndRead() throws IOException {
    SimulatedWorld world = slowWorld();
    ClientCore client = world.started("node");
    world.get(
        client.change(ROOT, root -> new Names.MakeDirectory(root, "d", 0755), Names.NodeIs.class));
    assertThat(world.get(client.list(ROOT, "", "", 9)).entries()).hasSize(1);
  }

  @Test
  void bytesAreWrittenAndRead() throws IOException {
    SimulatedWorld world = slowWorld();
    ClientCore client = world.started("node");
    OpenFile file = world.get(client.open(ROOT, SlowServersTest::creation));
    byte[] bytes = new byte[300_000];
    new Random(1).nextBytes(bytes);
    ByteBuffer source = ByteBuffer.wrap(bytes);
    world.get(file.write(file.layout().cut(source, 0), 0, false).acknowledged());
    world.get(file.close());
    OpenFile again = world.get(client.open(ROOT, SlowServersTest::creation));
    ByteBuffer target = ByteBuffer.allocate(bytes.length);
    assertThat(world.get(again.read(0, target))).isEqualTo(bytes.length);
    assertThat(target.array()).isEqualTo(bytes);
  }

  /** An answer that says no, however late, moves nothing. */
  @Test
  void aHomeThatOnlyRefusesIsGivenUpAllTheSame() throws IOException {
    SimulatedWorld world = slowWorld();
    ClientCore client = world.started("node");
    world.ring.meddle(
        (seat, request) ->
            request instanceof Names.Request
                ? new Replies.Failed(ErrorCode.UNAVAILABLE, "no members")
                : pong(request));
    assertThat(world.failure(client.lookUp(ROOT, "", true)))
        .hasMessageContaining("no members")
        .hasMessageContaining("given up after");
  }
}
