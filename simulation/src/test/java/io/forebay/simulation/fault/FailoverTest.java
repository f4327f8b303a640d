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
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A client whose writes are not answered writes elsewhere at once, and tells slow from dead. */
class FailoverTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int WRITE_BYTES = 64 * 1024;
  private static final int WRITES = 200;
  private static final Identity ROOT = Identity.root();

  private World world;
  private RawClient raw;
  private OpenFile file;

  /** How long writers waited at most while something happened to a seat that keeps no names. */
  private long longestWrite(Consumer<SeatNode> trouble) {
    world = new World(WorldOptions.CALM.withSeats(5, 2), 31);
    raw = RawClient.withInstance(world, 2, false);
    LoneClient client = new LoneClient(world, "client");
    ClientCore core = client.start("i");
    client.get(core.start());
    file =
        client.get(
            core.open(
                ROOT, root -> new Names.Open(root, "file", true, true, true, false, false, 0644)));
    long longest = 0;
    for (int i = 0; i < WRITES; i++) {
      if (i == WRITES / 4) trouble.accept(bystander());
      ByteBuffer bytes = ByteBuffer.allocate(WRITE_BYTES);
      long at = (long) i * WRITE_BYTES;
      long begun = world.nanos();
      CompletableFuture<Void> done =
          file.write(file.layout().cut(bytes, at), at, false).acknowledged();
      client.get(done);
      longest = Math.max(longest, world.nanos() - begun);
      world.runFor(20_000_000);
    }
    client.get(file.close());
    return longest;
  }

  /** A seat that is no member of the group that keeps the names. */
  private SeatNode bystander() {
    Group names = raw.group(raw.instance().rootGroup());
    return world.seats().stream()
        .filter(each -> names.members().stream().noneMatch(m -> hostOf(m).equals(each.host())))
        .findFirst()
        .orElseThrow();
  }

  private String hostOf(Group.Member member) {
    return raw.map().seat(member.seat()).server();
  }

  private SeatEntry entryOf(String host) {
    return world.map().seats().stream()
        .filter(seat -> seat.server().equals(host))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSeatThatDies() {
    assertThat(longestWrite(SeatNode::kill)).isLessThan(3 * SECOND / 2);
  }

  @Test
  void aSeatThatIsStopped() {
    assertThat(longestWrite(seat -> world.pause(seat))).isLessThan(3 * SECOND / 2);
  }

  @Test
  void aHomeThatIsCutOffFromTheMemberBehindItIsSlowAndNotDead() {
    long longest =
        longestWrite(
            home -> {
              SeatEntry entry = entryOf(home.host());
              Group group = raw.group(GroupId.of(entry.id(), 2));
              world.network().partition(home.host(), hostOf(group.members().get(1)), false);
            });
    assertThat(longest).isLessThan(3 * SECOND / 2);
    assertThat(world.map().seats()).noneMatch(SeatEntry::away);
  }

  @Test
  void onlyTheClientCannotReachTheSeat() {
    long longest = longestWrite(seat -> world.network().partition("client", seat.host(), false));
    assertThat(longest).isLessThan(3 * SECOND / 2);
    assertThat(world.map().seats()).noneMatch(SeatEntry::away);
  }
}
