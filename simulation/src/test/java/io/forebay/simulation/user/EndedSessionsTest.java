// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a session left unpublished goes with it, wherever it is by then. */
class EndedSessionsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 20_000;

  private final World world = new World(WorldOptions.CALM.withSeats(4, 2), 81);
  private final RawClient client = RawClient.withInstance(world, 2, false);
  private final List<RecordId> records = new ArrayList<>();

  private void put(SeatId origin) {
    RecordId record = new RecordId(RawClient.SESSION, (records.size() + 1) * 256L);
    records.add(record);
    assertThat(client.await(client.put(GroupId.of(origin, 2), record, LENGTH)))
        .isInstanceOf(Data.PutDone.class);
  }

  /** Where records are, among servers that run. */
  private List<RecordId> held() {
    List<RecordId> held = new ArrayList<>();
    for (SeatNode node : world.seats()) {
      if (node.hasLeft()) continue;
      for (RecordId record : records) if (node.store().present(record)) held.add(record);
    }
    return held;
  }

  @Test
  void alsoInGroupsOfServersThatJoinedOrLeftSinceItBegan() {
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    for (SeatEntry seat : client.map().seats()) put(seat.id());
    SeatNode joiner = world.newSeat();
    joiner.join(0);
    joiner.start();
    assertThat(world.runUntil(() -> client.map().seats().size() == 5, 10 * SECOND)).isTrue();
    world.runFor(5 * SECOND);
    SeatId joined = client.instance().seats().getLast();
    put(joined);
    SeatNode leaver = world.seats().get(1);
    assertThat(new Administrator(world).leave(leaver.host())).isInstanceOf(Replies.Done.class);
    assertThat(world.runUntil(leaver::hasLeft, 60 * SECOND)).isTrue();
    // Until the order of members is right, sweeps follow changes: they would find the records too.
    world.runFor(200 * SECOND);
    assertThat(held()).hasSize(2 * records.size()).containsAll(records);
    client.names(new Names.EndSession());
    assertThat(world.runUntil(() -> held().isEmpty(), 10 * SECOND)).as("%s", held()).isTrue();
  }
}
