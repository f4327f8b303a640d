// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from a store comes to the buffer, and is what the store has or newer. */
class CachedReadsTest {
  private static final Identity ROOT = Identity.root();
  private static final long SECOND = 1_000_000_000L;
  private static final int FILE_BYTES = 200_000;

  /** After somebody has wanted room nothing is taken in for a while. */
  private static final long PAUSE_NANOS = 6 * SECOND;

  private World world;
  private LoneClient node;
  private ClientCore client;
  private final Map<String, byte[]> expected = new TreeMap<>();

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private void begin(WorldOptions options, long seed) {
    world = new World(options.withSeats(4, 2), seed);
    Random random = new Random(seed);
    for (String path : List.of("/a", "/b", "/c")) expected.put(path, bytes(random, FILE_BYTES));
    expected.forEach(world.store()::put);
    world.start();
    DrainSpec over = new DrainSpec("null:", "every=1s").asOver().keeping("reads");
    new Administrator(world).createInstance("i", 2, false, "continue", over);
    node = new LoneClient(world, "client");
    client = node.start("i");
    node.get(client.start());
  }

  private OpenFile open(String path) {
    return node.get(
        client.open(
            ROOT, root -> new Names.Open(root, path, true, true, false, false, false, 0644)));
  }

  private byte[] read(String path, int at, int bytes) {
    OpenFile file = open(path);
    ByteBuffer target = ByteBuffer.allocate(bytes);
    int count = node.get(file.read(at, target));
    node.get(file.close());
    return Arrays.copyOf(target.array(), Math.max(0, count));
  }

  private byte[] read(String path) {
    return read(path, 0, 2 * FILE_BYTES);
  }

  private void assertIs(String path) {
    assertThat(Arrays.mismatch(read(path), expected.get(path))).as(path).isEqualTo(-1);
  }

  private void giveUp() {
    for (SeatNode seat : world.seats()) seat.callForRoom(1L << 30, true);
    world.runFor(PAUSE_NANOS);
  }

  private void refresh() {
    node.get(client.change(ROOT, root -> new Names.Refresh(Names.ROOT, "/"), Replies.Done.class));
  }

  private Names.LedgerEntry entry(String path) {
    Names.LedgerIs ledger =
        node.get(client.ask(ROOT, root -> new Names.GetLedger(0, 100), Names.LedgerIs.class));
    return ledger.entries().stream()
        .filter(each -> each.path().equals(path))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theSecondReadNeedsNoStore() {
    begin(WorldOptions.CALM, 1);
    assertThat(list()).containsExactly("a", "b", "c");
    assertIs("/a");
    assertThat(entry("/a").backed()).isFalse();
    assertThat(entry("/a").state()).isEqualTo(Names.DrainState.DURABLE);
    world.weather().failing(1);
    assertIs("/a");
    giveUp();
    assertThat(entry("/a").backed()).isTrue();
    world.weather().failing(0);
    assertIs("/a");
    world.weather().failing(1);
    assertIs("/a");
  }

  @Test
  void manyWhoReadTheSameReadTheStoreOnce() {
    begin(WorldOptions.CALM, 2);
    OpenFile file = open("/a");
    List<CompletableFuture<Integer>> reads = new ArrayList<>();
    List<ByteBuffer> targets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ByteBuffer target = ByteBuffer.allocate(1000);
      targets.add(target);
      reads.add(file.read(i * 1000L, target));
    }
    for (CompletableFuture<Integer> each : reads) assertThat(node.get(each)).isEqualTo(1000);
    for (int i = 0; i < targets.size(); i++) {
      assertThat(targets.get(i).array())
          .isEqualTo(Arrays.copyOfRange(expected.get("/a"), i * 1000, (i + 1) * 1000));
    }
    Names.RunsAre runs =
        node.get(
            client.ask(
                ROOT,
                root -> new Names.FindRuns(file.number(), 0, FILE_BYTES, 100),
                Names.RunsAre.class));
    assertThat(runs.runs())
        .singleElement()
        .satisfies(run -> assertThat(run.lengthBytes()).isGreaterThan(20_000));
  }

  @Test
  void whatOthersChangeIsNeverMixedWithWhatIsHere() {
    begin(WorldOptions.CALM, 3);
    assertThat(read("/a", 0, 1000)).isEqualTo(Arrays.copyOf(expected.get("/a"), 1000));
    byte[] other = bytes(new Random(77), FILE_BYTES);
    world.store().put("/a", other);
    assertThat(read("/a", 0, 1000)).isEqualTo(Arrays.copyOf(expected.get("/a"), 1000));
    assertThatThrownBy(() -> read("/a")).hasMessageContaining("forebay refresh /a");
    refresh();
    expected.put("/a", other);
    assertIs("/a");
    world.weather().failing(1);
    assertIs("/a");
  }

  private List<String> list() {
    return node.get(client.list(ROOT, "/", "", 100)).entries().stream()
        .map(Names.NamedNode::name)
        .toList();
  }

  /** Reads while the same range is written, and the home of the names may die. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsReadIsWhatWasThereOrWhatIsWritten(long seed) {
    begin(seed % 2 == 0 ? WorldOptions.ROUGH : WorldOptions.CALM, seed);
    Random random = new Random(seed);
    world.weather().failing(20);
    for (int round = 0; round < 4; round++) {
      String path = "/" + (char) ('a' + random.nextInt(3));
      byte[] before = expected.get(path);
      SeatNode killed = random.nextInt(3) == 0 ? home() : null;
      OpenFile file = open(path);
      ByteBuffer target = ByteBuffer.allocate(before.length);
      CompletableFuture<Integer> read = file.read(0, target);
      world.runFor(random.nextInt(30) * 1_000_000L);
      if (killed != null) killed.kill();
      int at = random.nextInt(FILE_BYTES - 50_000);
      byte[] written = bytes(random, 1 + random.nextInt(50_000));
      file.write(file.layout().cut(ByteBuffer.wrap(written), at), at, false);
      int count = node.get(read);
      node.get(file.close());
      if (killed != null) killed.start();
      byte[] after = before.clone();
      System.arraycopy(written, 0, after, at, written.length);
      expected.put(path, after);
      assertThat(count).isEqualTo(before.length);
      for (int i = 0; i < count; i++) {
        byte is = target.get(i);
        boolean right = is == before[i] || is == after[i];
        if (!right) assertThat(i).as("a byte of %s in round %d", path, round).isEqualTo(-1);
      }
      if (random.nextBoolean()) assertIs(path);
      world.runFor(random.nextInt(6) * SECOND);
      giveUp();
      assertIs(path);
    }
    world.weather().failing(0);
    for (String path : expected.keySet()) assertIs(path);
    world.runFor(30 * SECOND);
    world.store().contents().forEach((path, is) -> assertThat(is).isEqualTo(expected.get(path)));
  }

  private SeatNode home() {
    Instance instance = world.map().instance("i");
    assertThat(world.runUntil(() -> world.map().group(instance.rootGroup()).isWhole(), 60 * SECOND))
        .isTrue();
    return world.seatAt(world.map().seat(world.map().group(instance.rootGroup()).home()).server());
  }
}
