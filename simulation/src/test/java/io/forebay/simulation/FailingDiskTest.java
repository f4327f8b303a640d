package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.store.disk.Faults;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A seat that cannot force what it should keep gives its place up, though it lives (P20). */
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
}
