// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
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

/** A ring over a store that had files before and fails now and then; homes die in the middle. */
class OverTest {
  private static final Identity ROOT = Identity.root();
  private static final long SECOND = 1_000_000_000L;
  private static final int MANY = 1_100;

  private World world;
  private LoneClient node;
  private ClientCore client;

  /** What every name is to have, here and in the store. */
  private final Map<String, byte[]> expected = new TreeMap<>();

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private void begin(WorldOptions options, long seed) {
    world = new World(options.withSeats(4, 2), seed);
    Random random = new Random(seed);
    for (String path : List.of("a", "b", "d/a", "d/b", "d/e/a", "d/e/b", "f/a")) {
      expected.put("/" + path, bytes(random, 1 + random.nextInt(40_000)));
    }
    for (int i = 0; i < MANY; i++) expected.put("/many/" + i, bytes(random, 3));
    expected.forEach(world.store()::put);
    world.start();
    DrainSpec over = new DrainSpec("null:", "every=1s").asOver();
    new Administrator(world).createInstance("i", 2, false, "continue", over);
    node = new LoneClient(world, "client");
    client = node.start("i");
    node.get(client.start());
  }

  private Group group() {
    RingMap map = world.map();
    Instance instance = map == null ? null : map.instance("i");
    assertThat(instance).isNotNull();
    return map.group(instance.rootGroup());
  }

  /** The home of the names, once another seat could take its place. */
  private SeatNode home() {
    assertThat(world.runUntil(() -> group().isWhole(), 60 * SECOND)).isTrue();
    return world.seatAt(world.map().seat(group().home()).server());
  }

  private OpenFile open(String path, boolean create) {
    return node.get(
        client.open(
            ROOT, root -> new Names.Open(root, path, true, true, create, false, false, 0644)));
  }

  private byte[] read(String path) {
    OpenFile file = open(path, false);
    ByteBuffer target = ByteBuffer.allocate(100_000);
    int count = node.get(file.read(0, target));
    node.get(file.close());
    return Arrays.copyOf(target.array(), Math.max(0, count));
  }

  private void write(String path, byte[] bytes, int at) {
    OpenFile file = open(path, true);
    file.write(file.layout().cut(ByteBuffer.wrap(bytes), at), at, false);
    node.get(file.close());
    byte[] before = expected.getOrDefault(path, new byte[0]);
    byte[] after = Arrays.copyOf(before, Math.max(before.length, at + bytes.length));
    System.arraycopy(bytes, 0, after, at, bytes.length);
    expected.put(path, after);
  }

  private CompletableFuture<Replies.Done> change(Names.Change change) {
    return client.change(ROOT, root -> change, Replies.Done.class);
  }

  private void rename(String from, String to) {
    node.get(change(new Names.Rename(Names.ROOT, from, Names.ROOT, to, false, false)));
    for (String path : List.copyOf(expected.keySet())) {
      boolean moves = path.equals(from) || path.startsWith(from + "/");
      if (moves) expected.put(to + path.substring(from.length()), expected.remove(path));
    }
  }

  private List<String> list(String path) {
    List<String> names = new ArrayList<>();
    for (Names.NamedNode each : node.get(client.list(ROOT, path, "", 10_000)).entries()) {
      names.add(each.name());
    }
    return names;
  }

  private void assertStored() {
    world.weather().failing(0);
    for (int seconds = 0; seconds < 120 && !isStored(); seconds++) world.runFor(SECOND);
    assertThat(world.store().contents().keySet()).isEqualTo(expected.keySet());
    assertThat(isStored()).as("contents").isTrue();
  }

  private boolean isStored() {
    Map<String, byte[]> stored = world.store().contents();
    return stored.keySet().equals(expected.keySet())
        && stored.entrySet().stream()
            .allMatch(each -> Arrays.equals(each.getValue(), expected.get(each.getKey())));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void namesAndBytesAreThoseOfTheStoreWhateverFails(long seed) {
    begin(seed % 2 == 0 ? WorldOptions.ROUGH : WorldOptions.CALM, seed);
    world.weather().failing(6);
    Random random = new Random(seed);
    CompletableFuture<Names.Listing> many = client.list(ROOT, "/many", "", 10_000);
    world.runFor(random.nextInt(60) * 1_000_000L);
    SeatNode killed = home();
    killed.kill();
    assertThat(node.get(many).entries()).hasSize(MANY);
    assertThat(list("/")).containsExactly("a", "b", "d", "f", "many");
    write("/a", bytes(random, 5_000), random.nextInt(30_000));
    killed.start();
    write("/d/new", bytes(random, 20_000), 0);
    assertThat(read("/d/b")).isEqualTo(expected.get("/d/b"));
    assertThat(read("/a")).isEqualTo(expected.get("/a"));
    world.runFor(random.nextInt(4) * SECOND);
    node.get(change(new Names.Unlink(Names.ROOT, "/b")));
    expected.remove("/b");
    rename("/d", "/x");
    write("/d", bytes(random, 100), 0);
    world.runFor(random.nextInt(3000) * 1_000_000L);
    SeatNode next = home();
    next.kill();
    rename("/x/a", "/f/a");
    write("/x/e/a", bytes(random, 10), 7);
    next.start();
    for (String path : List.of("/a", "/d", "/f/a", "/x/b", "/x/e/a", "/x/e/b", "/x/new")) {
      assertThat(read(path)).as(path).isEqualTo(expected.get(path));
    }
    assertThat(list("/x/e")).containsExactly("a", "b");
    assertStored();
  }

  @Test
  void whatOthersDoIsNoticedAndLookedAtAgain() {
    begin(WorldOptions.CALM, 11);
    assertThat(read("/d/a")).isEqualTo(expected.get("/d/a"));
    world.store().put("/d/a", new byte[] {1, 2, 3});
    world.store().put("/d/c", new byte[] {4});
    world.store().remove("/d/b");
    assertThatThrownBy(() -> read("/d/a")).hasMessageContaining("forebay refresh /d/a");
    node.get(change(new Names.Refresh(Names.ROOT, "/d")));
    assertThat(read("/d/a")).containsExactly(1, 2, 3);
    assertThat(list("/d")).containsExactly("a", "c", "e");
    write("/f/a", new byte[] {9}, 0);
    world.store().put("/f/a", new byte[] {7, 7});
    world.runFor(10 * SECOND);
    assertThat(world.store().contents().get("/f/a")).containsExactly(7, 7);
    Names.LedgerIs ledger =
        node.get(client.ask(ROOT, root -> new Names.GetLedger(0, 10_000), Names.LedgerIs.class));
    assertThat(ledger.entries())
        .filteredOn(entry -> entry.state() == Names.DrainState.CHANGED)
        .singleElement()
        .satisfies(entry -> assertThat(entry.path()).isEqualTo("/f/a"));
    assertThat(world.store().attempts()).isEmpty();
  }

  @Test
  void aStoreThatIsAwayMakesNothingUnusableThatWasNot() {
    begin(WorldOptions.CALM, 12);
    assertThat(list("/d")).containsExactly("a", "b", "e");
    world.weather().failing(1);
    node.get(change(new Names.Refresh(Names.ROOT, "/d")));
    assertThatThrownBy(() -> list("/d")).hasMessageContaining("FAILED: ");
    assertThat(list("/d")).containsExactly("a", "b", "e");
    world.weather().failing(0);
    assertThat(list("/f")).containsExactly("a");
  }
}
