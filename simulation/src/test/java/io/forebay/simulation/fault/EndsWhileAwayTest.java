// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.ended.EndedInstances.Range;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import org.junit.jupiter.api.Test;

/** A seat that was away learns from one map which instances have ended meanwhile (P37). */
class EndsWhileAwayTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BEFORE_THE_SWEEP = 4 * SECOND;
  private static final int LENGTH = 50_000;
  private static final RecordId RECORD = new RecordId(RawClient.SESSION, 256);

  /** More than get their tombstones without a look at the records. */
  private static final int OTHERS = 40;

  private final World world = new World(WorldOptions.CALM, 73);
  private long lastOp = 1;

  private void discard(RawClient client, String name) {
    Maps.DiscardInstance discard = new Maps.DiscardInstance(++lastOp, name, Identity.root());
    assertThat(client.call("manager", Lane.CONTROL, discard)).isInstanceOf(Replies.Done.class);
  }

  private static boolean has(SeatNode node) {
    return node.store() != null && node.store().present(RECORD);
  }

  @Test
  void theSeatDeletesTheirRecordsWhenItIsBack() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    GroupId root = client.instance().rootGroup();
    int number = client.instance().id();
    client.publishFile("file", root, RECORD, LENGTH, true);
    SeatNode away = world.seatAt(client.hostOf(client.group(root), 1));
    assertThat(has(away)).isTrue();
    away.kill();

    discard(client, "i");
    for (int i = 0; i < OTHERS; i++) {
      client.makeInstance(++lastOp, "other", Identity.root(), "everyone");
      discard(client, "other");
    }
    assertThat(client.map().instances()).isEmpty();
    assertThat(client.map().ended().ranges()).containsExactly(new Range(number, number + OTHERS));

    away.start();
    assertThat(world.runUntil(() -> has(away), SECOND)).as("until it has the map").isTrue();
    assertThat(world.runUntil(() -> !has(away), BEFORE_THE_SWEEP)).isTrue();
    assertThat(client.hostOf(client.group(root), 1))
        .as("it is a member still: nothing went for another reason")
        .isEqualTo(away.host());
  }
}
