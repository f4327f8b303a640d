// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A client that was never told that its publish was done still reads what there is. */
class UncertainPublishTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 40_000;

  private static OpenFile open(LoneClient client, ClientCore core) {
    return client.get(
        core.open(
            Identity.root(),
            root -> new Names.Open(root, "f", true, true, true, false, false, 0644)));
  }

  private static void write(LoneClient client, OpenFile file, int value) {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    client.get(file.write(file.layout().cut(ByteBuffer.wrap(bytes), 0), 0, false).acknowledged());
  }

  private static byte[] read(LoneClient client, OpenFile file) {
    ByteBuffer target = ByteBuffer.allocate(LENGTH);
    assertThat(client.get(file.read(0, target))).isEqualTo(LENGTH);
    return target.array();
  }

  @Test
  void whatOthersReplacedMeanwhileIsTheirs() {
    World world = new World(WorldOptions.CALM, 64);
    GroupId root = RawClient.withInstance(world, 2, false).instance().rootGroup();
    LoneClient cutOff = new LoneClient(world, "client-a");
    ClientCore core = cutOff.start("i");
    cutOff.get(core.start());
    OpenFile file = open(cutOff, core);
    write(cutOff, file, 1);
    String home = world.map().seat(world.map().group(root).home()).server();
    // What it asks arrives; what it is answered does not.
    world.network().partition(home, "client-a", true);
    assertThatThrownBy(() -> cutOff.get(file.sync())).hasMessageContaining("30");
    world.network().healAll();
    world.runFor(5 * SECOND);
    assertThat(read(cutOff, file)).containsOnly(1);
    LoneClient other = new LoneClient(world, "client-b");
    ClientCore otherCore = other.start("i");
    other.get(otherCore.start());
    OpenFile same = open(other, otherCore);
    assertThat(read(other, same)).as("it was published").containsOnly(1);
    write(other, same, 2);
    other.get(same.close());
    world.runFor(5 * SECOND);
    assertThat(read(cutOff, file)).containsOnly(2);
  }
}
