// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.pack.PackCache;
import io.forebay.backing.pack.PackCatalogue;
import io.forebay.backing.pack.PackedStore;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.simulation.audit.PackAudit;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small files are written, replaced, renamed and deleted all the time, the store fails and carries
 * calls out late, and homes die: whatever the store shows under a name is a whole file that was
 * written, and in the end it shows exactly what is here.
 */
class PacksUnderFaultsTest {
  private static final Identity ROOT = Identity.root();
  private static final long SECOND = 1_000_000_000L;
  private static final int NAMES = 30;
  private static final int STEPS = 120;

  private final Map<String, String> expected = new TreeMap<>();

  /** All that was ever written. */
  private final Set<String> contents = new HashSet<>();

  private World world;
  private LoneClient node;
  private ClientCore client;
  private Random random;
  private int written;

  @ParameterizedTest
  @ValueSource(longs = {2, 3})
  void theStoreShowsWholeFilesAndInTheEndWhatIsHere(long given) {
    play(Long.getLong("forebay.seed", given));
  }

  void play(long seed) {
    random = new Random(seed);
    world =
        new World((seed % 2 == 0 ? WorldOptions.ROUGH : WorldOptions.CALM).withSeats(4, 2), seed);
    SimulatedBackingStore.Kind[] kinds = SimulatedBackingStore.Kind.values();
    world.store().become(kinds[random.nextInt(kinds.length)]);
    world.start();
    DrainSpec drain = new DrainSpec("null:", "every=1s,pack=4KiB");
    new Administrator(world).createInstance("i", 2, false, "continue", drain);
    node = new LoneClient(world, "client");
    client = node.start("i");
    node.get(client.start());
    world.weather().failing(10 + random.nextInt(30));
    SeatNode dead = null;
    for (int step = 0; step < STEPS; step++) {
      change();
      world.runFor(random.nextInt(400) * 1_000_000L);
      assertWhole();
      if (random.nextInt(20) == 0) giveUpRoom();
      if (dead != null && random.nextInt(4) == 0) {
        dead.start();
        dead = null;
      } else if (dead == null && random.nextInt(15) == 0 && group().isWhole()) {
        dead = world.seatAt(world.map().seat(group().home()).server());
        dead.kill();
      }
    }
    if (dead != null) dead.start();
    world.weather().failing(0);
    for (int seconds = 0; seconds < 240 && !isStored(); seconds++) world.runFor(SECOND);
    assertThat(shown()).isEqualTo(expected);
    giveUpRoom();
    world.runFor(5 * SECOND);
    expected.forEach((name, text) -> assertThat(read(name)).as(name).isEqualTo(text));
    // What is dead goes, and nothing is left behind.
    for (int seconds = 0; seconds < 240 && !isTidy(); seconds++) world.runFor(SECOND);
    assertThat(world.store().attempts()).isEmpty();
    assertThat(isTidy()).isTrue();
  }

  private boolean isTidy() {
    return world.store().attempts().isEmpty()
        && catalogue().uses().stream().noneMatch(use -> use.liveEntries() == 0)
        && shown().equals(expected);
  }

  private void giveUpRoom() {
    for (SeatNode seat : world.seats()) seat.callForRoom(1L << 40, true);
  }

  private Group group() {
    return world.map().group(world.map().instance("i").rootGroup());
  }

  private void change() {
    String name = "f" + random.nextInt(NAMES);
    int choice = random.nextInt(10);
    if (choice < 6 || !expected.containsKey(name)) {
      write(name);
    } else if (choice < 8) {
      node.get(client.change(ROOT, root -> new Names.Unlink(root, name), Replies.Done.class));
      expected.remove(name);
    } else {
      String to = "f" + random.nextInt(NAMES);
      boolean exchange = expected.containsKey(to) && random.nextBoolean();
      if (to.equals(name)) return;
      node.get(
          client.change(
              ROOT,
              root -> new Names.Rename(root, name, root, to, false, exchange),
              Replies.Done.class));
      String moved = expected.remove(name);
      String replaced = expected.put(to, moved);
      if (exchange && replaced != null) expected.put(name, replaced);
    }
  }

  private void write(String name) {
    boolean large = random.nextInt(10) == 0;
    String text = name + " " + ++written + " ";
    text += "x".repeat(random.nextInt(large ? 12_000 : 1_500));
    OpenFile file =
        node.get(
            client.open(
                ROOT, root -> new Names.Open(root, name, true, true, true, false, true, 0644)));
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    file.write(file.layout().cut(bytes, 0), 0, false);
    node.get(file.close());
    expected.put(name, text);
    contents.add(text);
  }

  private String read(String name) {
    OpenFile file =
        node.get(
            client.open(
                ROOT, root -> new Names.Open(root, name, true, false, false, false, false, 0)));
    ByteBuffer bytes = ByteBuffer.allocate(20_000);
    int length = node.get(file.read(0, bytes));
    node.get(file.close());
    return new String(bytes.array(), 0, Math.max(0, length), StandardCharsets.UTF_8);
  }

  private PackCatalogue catalogue() {
    try {
      return PackCatalogue.read(world.store(), new PackCache());
    } catch (BackingException e) {
      throw new AssertionError(e);
    }
  }

  /** What somebody sees who looks at the store now. */
  private Map<String, String> shown() {
    Map<String, String> shown = new TreeMap<>();
    PackedStore packed = new PackedStore(world.store(), new PackCache());
    List<BackingPath> names = new ArrayList<>();
    for (BackingPath name : world.store().names()) if (!PackAudit.isOwn(name)) names.add(name);
    for (String name : catalogue().names().keySet()) names.add(BackingPath.of(name));
    try {
      for (BackingPath name : names) {
        ByteBuffer bytes = ByteBuffer.allocate(20_000);
        int length = packed.read(name, BackingStore.ANY_VERSION, 0, bytes);
        shown.put(name.text(), new String(bytes.array(), 0, length, StandardCharsets.UTF_8));
      }
    } catch (BackingException e) {
      throw new AssertionError(e);
    }
    return shown;
  }

  private boolean isStored() {
    return shown().equals(expected);
  }

  /** Files may be truncated before they are written again, so an empty one may be seen, too. */
  private void assertWhole() {
    shown()
        .forEach(
            (name, text) -> {
              if (!text.isEmpty()) assertThat(contents).as(name).contains(text);
            });
  }
}
