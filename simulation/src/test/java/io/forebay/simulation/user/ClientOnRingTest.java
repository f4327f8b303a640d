// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.client.core.PairUpload;
import io.forebay.client.core.PairsCore;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's core on real seats. */
class ClientOnRingTest {
  private static final Identity ROOT = Identity.root();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void filesAndPairsOfTwoClients(long seed) {
    World world = new World(seed % 2 == 0 ? WorldOptions.ROUGH : WorldOptions.CALM, seed);
    RawClient.withInstance(world, 2, seed % 4 == 3);
    LoneClient a = new LoneClient(world, "client-a");
    LoneClient b = new LoneClient(world, "client-b");
    ClientCore writer = a.start("i");
    ClientCore reader = b.start("i");
    a.get(writer.start());
    b.get(reader.start());
    Random random = new Random(seed);
    byte[] expected = new byte[200_000];
    int size = 0;
    OpenFile out = a.get(open(writer, "file", true));
    OpenFile in = b.get(open(reader, "file", false));
    for (int i = 0; i < 60; i++) {
      byte[] part = new byte[1 + random.nextInt(i % 5 == 0 ? 50_000 : 2_000)];
      random.nextBytes(part);
      int at = random.nextInt(150_000);
      out.write(out.layout().cut(ByteBuffer.wrap(part), at), at, false);
      System.arraycopy(part, 0, expected, at, part.length);
      size = Math.max(size, at + part.length);
      assertThat(read(a, out)).as("own, seed %d", seed).isEqualTo(Arrays.copyOf(expected, size));
      if (random.nextInt(6) != 0) continue;
      a.get(out.sync());
      assertThat(read(b, in)).as("other, seed %d", seed).isEqualTo(Arrays.copyOf(expected, size));
    }
    a.get(out.truncate(1000));
    assertThat(read(b, in)).isEqualTo(Arrays.copyOf(expected, 1000));
    a.get(out.close());
    pairs(a, b, writer, reader, random);
    a.get(writer.close());
    b.get(reader.close());
  }

  private static void pairs(
      LoneClient a, LoneClient b, ClientCore writer, ClientCore reader, Random random) {
    PairsCore puts = a.get(writer.pairs());
    PairsCore gets = b.get(reader.pairs());
    for (int size : List.of(0, 1, 70_000)) {
      byte[] value = new byte[size];
      random.nextBytes(value);
      for (int twice = 0; twice < 2; twice++) {
        PairUpload upload = a.get(puts.begin(ROOT, "key" + size));
        upload.write(upload.layout().cut(ByteBuffer.wrap(value), 0));
        a.get(upload.finish());
      }
      assertThat(b.get(gets.get(ROOT, "key" + size, n -> ByteBuffer.allocate(n))).array())
          .isEqualTo(value);
    }
    assertThat(b.get(gets.list(ROOT, "key", "", 10)).pairs()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {11})
  void manyChangesAtOnce(long seed) {
    World world = new World(WorldOptions.CALM, seed);
    RawClient.withInstance(world, 2, false);
    LoneClient node = new LoneClient(world, "client");
    ClientCore client = node.start("i");
    node.get(client.start());
    List<CompletableFuture<Names.NodeIs>> all = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      String name = "d" + i;
      all.add(
          client.change(
              ROOT, root -> new Names.MakeDirectory(root, name, 0755), Names.NodeIs.class));
    }
    for (CompletableFuture<Names.NodeIs> each : all) node.get(each);
    assertThat(node.get(client.list(ROOT, "", "", 10_000)).entries()).hasSize(6000);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void aRestartedSeatIsFoundAgain(long seed) {
    World world = new World(WorldOptions.CALM, seed);
    RawClient.withInstance(world, 2, false);
    LoneClient node = new LoneClient(world, "client");
    ClientCore client = node.start("i");
    node.get(client.start());
    OpenFile file = node.get(open(client, "file", true));
    byte[] bytes = new byte[120_000];
    new Random(seed).nextBytes(bytes);
    file.write(file.layout().cut(ByteBuffer.wrap(bytes), 0), 0, false);
    CompletableFuture<Void> synced = file.sync();
    int victim = (int) (seed % 3);
    world.runFor(seed * 100_000L);
    world.seats().get(victim).kill();
    world.runFor(2_000_000_000L);
    world.seats().get(victim).start();
    node.get(synced);
    assertThat(read(node, file)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34})
  void closesThatOverlapEachOtherAndOpensAllPublish(long seed) {
    World world = new World(seed % 2 == 0 ? WorldOptions.ROUGH : WorldOptions.CALM, seed);
    RawClient.withInstance(world, 2, false);
    LoneClient node = new LoneClient(world, "client");
    ClientCore client = node.start("i");
    node.get(client.start());
    long nodes = usage(node, client).nodes();
    node.get(node.get(open(client, "log", true)).close());
    int threads = 3;
    int rounds = 40;
    int lineBytes = 100;
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) all.add(appendRounds(client, rounds, lineBytes));
    for (CompletableFuture<Void> each : all) node.get(each);
    OpenFile log = node.get(open(client, "log", false));
    assertThat(read(node, log)).hasSize(threads * rounds * lineBytes);
    node.get(log.close());
    node.get(client.change(ROOT, root -> new Names.Unlink(root, "log"), Replies.Done.class));
    world.runFor(500_000_000L);
    assertThat(usage(node, client).nodes()).as("nodes").isEqualTo(nodes);
  }

  private static Names.UsageIs usage(LoneClient node, ClientCore client) {
    return node.get(client.ask(ROOT, root -> new Names.GetUsage(), Names.UsageIs.class));
  }

  /** What a thread does that opens, appends and closes again and again. */
  private static CompletableFuture<Void> appendRounds(ClientCore client, int rounds, int bytes) {
    if (rounds == 0) return CompletableFuture.completedFuture(null);
    return open(client, "log", false)
        .thenCompose(
            file -> {
              file.append(file.layout().cut(ByteBuffer.allocate(bytes), 0), false);
              return file.close();
            })
        .thenCompose(closed -> appendRounds(client, rounds - 1, bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44})
  void anOpenThatOverlapsACloseHoldsAFileThatIsUnlinked(long seed) {
    // So slow that the home has time to forget the file before the client can tell it anything.
    World world =
        new World(
            WorldOptions.CALM.withNetwork(new MemoryOptions(5_000_000, 20_000_000, 0, 0)), seed);
    RawClient.withInstance(world, 2, false);
    LoneClient node = new LoneClient(world, "client");
    ClientCore client = node.start("i");
    node.get(client.start());
    long nodes = usage(node, client).nodes();
    for (int round = 0; round < 10; round++) {
      String name = "file-" + round;
      OpenFile first = node.get(open(client, name, true));
      first.write(first.layout().cut(ByteBuffer.allocate(1000), 0), 0, false);
      // The open goes out before the close, and is answered after the last handle is gone.
      CompletableFuture<OpenFile> opening = open(client, name, false);
      CompletableFuture<Void> closing = first.close();
      CompletableFuture<Integer> reading =
          opening.thenCompose(
              second ->
                  client
                      .change(ROOT, root -> new Names.Unlink(root, name), Replies.Done.class)
                      .thenCompose(done -> second.read(0, ByteBuffer.allocate(2000))));
      node.get(closing);
      assertThat(node.get(reading)).as("seed %d, round %d", seed, round).isEqualTo(1000);
      world.runFor(100_000_000L);
      assertThat(read(node, node.get(opening))).hasSize(1000);
      node.get(node.get(opening).close());
    }
    world.runFor(500_000_000L);
    assertThat(usage(node, client).nodes()).as("nodes").isEqualTo(nodes);
  }

  private static byte[] read(LoneClient node, OpenFile file) {
    ByteBuffer target = ByteBuffer.allocate(300_000);
    int count = node.get(file.read(0, target));
    return Arrays.copyOf(target.array(), Math.max(0, count));
  }

  private static CompletableFuture<OpenFile> open(ClientCore client, String path, boolean create) {
    return client.open(
        ROOT, root -> new Names.Open(root, path, true, true, create, false, false, 0644));
  }
}
