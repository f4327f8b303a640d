// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.disk.Faults;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A seat that cannot force what it should keep, or cannot read it, gives its place up, though it
 * lives (P20); if nobody else holds all, it goes on as soon as its disk does.
 */
class FailingDiskTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 100_000;
  private static final int FILES = 5;
  private static final Identity ROOT = Identity.root();

  private LoneClient client;
  private ClientCore core;

  private void write(String name, int value) {
    OpenFile file =
        client.get(
            core.open(
                ROOT, root -> new Names.Open(root, name, true, true, true, false, false, 0644)));
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH).put(0, (byte) value);
    client.get(file.write(file.layout().cut(bytes, 0), 0, false).acknowledged());
    client.get(file.close());
  }

  private int read(String name) {
    OpenFile file =
        client.get(
            core.open(
                ROOT, root -> new Names.Open(root, name, true, false, false, false, false, 0)));
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    assertThat(client.get(file.read(0, bytes))).isEqualTo(LENGTH);
    client.get(file.close());
    return bytes.get(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void othersGoOnAndItComesBackWhenTheDiskWorks(int place) {
    World world = new World(WorldOptions.CALM, 41 + place);
    RawClient raw = RawClient.withInstance(world, 2, true);
    client = new LoneClient(world, "client");
    core = client.start("i");
    client.get(core.start());
    GroupId root = raw.instance().rootGroup();
    SeatNode broken = world.seatAt(raw.hostOf(raw.group(root), place));
    write("before", 1);
    broken.setDiskFaults(Faults.NONE.withForceError(1));
    for (int i = 0; i < FILES; i++) write("file" + i, i);
    assertThat(raw.map().seats()).as("it lives").noneMatch(SeatEntry::away);
    Group now = raw.group(root);
    assertThat(raw.hostOf(now, 0)).isNotEqualTo(broken.host());
    assertThat(now.currentMembers()).isEqualTo(1);
    broken.setDiskFaults(Faults.NONE);
    assertThat(world.runUntil(() -> raw.group(root).isWhole(), 60 * SECOND)).isTrue();
    assertThat(read("before")).isEqualTo(1);
    for (int i = 0; i < FILES; i++) assertThat(read("file" + i)).isEqualTo(i);
  }

  private static final int SEGMENT_BYTES = 512 * 1024;

  /** Journals are read from the SSD after a restart. */
  private static WorldOptions withoutMemory(int copies) {
    return WorldOptions.CALM
        .withSeats(3, copies)
        .withStore(StoreConfig.ssd(SEGMENT_BYTES, 48L * SEGMENT_BYTES));
  }

  private RawClient start(World world, int copies) {
    RawClient raw = RawClient.withInstance(world, copies, true);
    client = new LoneClient(world, "client");
    core = client.start("i");
    client.get(core.start());
    return raw;
  }

  /** Nobody else could go on, so it must, when its disk gives again what is on it. */
  @Test
  void aHomeThatIsAloneWaitsForItsDisk() {
    World world = new World(withoutMemory(1), 51);
    RawClient raw = start(world, 1);
    write("before", 1);
    SeatNode home = world.seatAt(raw.homeOf(raw.instance().rootGroup()));
    home.kill();
    home.start();
    home.setDiskFaults(Faults.NONE.withReadError(1));
    world.runFor(5 * SECOND);
    // What it remembers of itself it can read, but not the journal.
    home.setDiskFaults(Faults.NONE);
    assertThat(world.runUntil(() -> isIn(home, raw), 10 * SECOND)).isTrue();
    home.setDiskFaults(Faults.NONE.withReadError(1));
    world.runFor(5 * SECOND);
    home.setDiskFaults(Faults.NONE);
    assertThat(read("before")).isEqualTo(1);
    write("after", 2);
    assertThat(read("after")).isEqualTo(2);
  }

  private static boolean isIn(SeatNode node, RawClient raw) {
    return node.seat().entered(raw.instance().rootGroup()) != null;
  }

  /** Forces fail for a while, and what was appended meanwhile is moved to where they do not. */
  @Test
  void aHomeThatIsAloneGoesOnWhenItsDiskDoes() {
    World world = new World(WorldOptions.CALM, 52);
    RawClient raw = start(world, 1);
    SeatNode home = world.seatAt(raw.homeOf(raw.instance().rootGroup()));
    home.setDiskFaults(Faults.NONE.withForceError(1));
    long open = raw.sendNames(RawClient.SESSION, new Names.BeginSession("raw", 600 * SECOND));
    world.runFor(3 * SECOND);
    assertThat(raw.reply(open)).isNull();
    home.setDiskFaults(Faults.NONE);
    write("after", 2);
    assertThat(read("after")).isEqualTo(2);
  }

  @Test
  void anotherIsHomeWhereTheJournalCannotBeRead() {
    World world = new World(withoutMemory(2), 53);
    RawClient raw = start(world, 2);
    write("before", 1);
    SeatNode home = world.seatAt(raw.homeOf(raw.instance().rootGroup()));
    home.kill();
    home.start();
    assertThat(world.runUntil(() -> isIn(home, raw), 10 * SECOND)).isTrue();
    home.setDiskFaults(Faults.NONE.withReadError(1));
    requireAnotherHome(raw, home);
  }

  @Test
  void anotherIsHomeWhereTheJournalIsDamaged() {
    World world = new World(withoutMemory(2), 54);
    RawClient raw = start(world, 2);
    write("before", 1);
    write("a name to be found again", 2);
    write("behind", 3);
    SeatNode home = world.seatAt(raw.homeOf(raw.instance().rootGroup()));
    home.kill();
    ByteBuffer name = ByteBuffer.wrap("a name to be found".getBytes(StandardCharsets.UTF_8));
    assertThat(home.damage(name, 0)).isPositive();
    home.start();
    requireAnotherHome(raw, home);
    assertThat(world.runUntil(() -> raw.group(raw.instance().rootGroup()).isWhole(), 60 * SECOND))
        .as("it gets the journal anew")
        .isTrue();
  }

  private void requireAnotherHome(RawClient raw, SeatNode broken) {
    write("after", 4);
    assertThat(raw.homeOf(raw.instance().rootGroup())).isNotEqualTo(broken.host());
    assertThat(read("before")).isEqualTo(1);
    assertThat(read("after")).isEqualTo(4);
  }
}
