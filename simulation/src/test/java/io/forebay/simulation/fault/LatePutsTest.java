// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.SessionSecret;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Writes that cross the end of their session on the way, at whatever moment. */
class LatePutsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long GAP_NANOS_MAX = 60_000_000L;
  private static final int SESSIONS = 60;
  private static final int RECORDS = 8;
  private static final int LENGTH = 20_000;

  @Test
  void theyLeaveNothingBehind() {
    long seed = Long.getLong("forebay.seed", 4711);
    System.out.println("LatePutsTest: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    // Payloads take so long that searches for what a session left overtake them.
    MemoryOptions slow = new MemoryOptions(20_000, 2 * GAP_NANOS_MAX, 0, 0);
    World world = new World(WorldOptions.CALM.withNetwork(slow), seed);
    RawClient client = RawClient.withInstance(world, 2, false);
    GroupId group = GroupId.of(client.map().seats().get(0).id(), 2);
    List<RecordId> records = new ArrayList<>();
    List<Long> requests = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      long secret = 1000L + i;
      long session = SessionSecret.sessionOf(secret);
      client.await(client.sendNames(session, new Names.BeginSession("raw", 600 * SECOND)));
      int end = random.nextInt(RECORDS);
      for (int each = 0; each < RECORDS; each++) {
        if (each == end) client.sendNames(session, new Names.EndSession());
        RecordId record = new RecordId(session, (each + 1) * 256L);
        records.add(record);
        requests.add(client.put(group, record, LENGTH, secret));
        world.runFor(random.nextLong(GAP_NANOS_MAX));
      }
    }
    world.runFor(30 * SECOND);
    int refused = 0;
    for (long request : requests) {
      Message reply = client.reply(request);
      if (reply instanceof Replies.Failed failed) {
        assertThat(failed.code()).isIn(ErrorCode.SESSION_ENDED, ErrorCode.BUSY, ErrorCode.GONE);
        refused++;
      } else {
        assertThat(reply).isInstanceOf(Data.PutDone.class);
      }
    }
    assertThat(refused).isBetween(1, records.size() - 1);
    for (SeatNode node : world.seats()) {
      for (RecordId record : records) {
        assertThat(node.store().present(record)).as("%s on %s", record, node.host()).isFalse();
      }
    }
  }
}
