// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that are deleted while their acknowledgement is on its way to a stopped client. */
class AcknowledgementAuditTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int SEGMENT = 320 * 1024;
  private static final int LENGTH = 20_000;
  private static final RecordId RECORD = new RecordId(RawClient.SESSION, RecordId.ATTEMPTS);

  // So small that a seat has soon searched it.
  private final World world =
      new World(WorldOptions.CALM.withStore(StoreConfig.memory(SEGMENT, 8L * SEGMENT)), 93);
  private final RawClient client = RawClient.withInstance(world, 2, false);
  // Of another home than the tree, which has connections to it and none to itself.
  private final GroupId group = GroupId.of(client.map().seats().get(1).id(), 2);
  private final AcknowledgementAudit audit = new AcknowledgementAudit(world);

  private long begin() {
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    Names.Open open = new Names.Open(Names.ROOT, "f", true, true, true, false, false, 0644);
    return ((Names.NodeIs) client.names(open)).attributes().number();
  }

  /** A change of the session, which calls the pieces below a number settled. */
  private Message request(long settledBelow, Names.Change change) {
    GroupId root = client.instance().rootGroup();
    return new Names.Request(
        root,
        client.group(root).epoch(),
        client.instance().id(),
        0,
        RawClient.SESSION,
        client.lastOp() + 1,
        0,
        settledBelow,
        false,
        Identity.root(),
        change);
  }

  private boolean isKept() {
    return world.seats().stream().anyMatch(each -> each.store().present(RECORD));
  }

  private void deleteBefore(long put, Runnable deletion) {
    assertThat(world.runUntil(this::isKept, SECOND)).isTrue();
    deletion.run();
    world.network().freeze("raw");
    assertThat(world.runUntil(() -> !isKept(), SECOND)).isTrue();
    world.network().thaw("raw");
    assertThat(client.await(put)).isEqualTo(new Data.PutDone(RECORD));
  }

  @Test
  void theClientHasGivenThePieceUp() {
    long file = begin();
    long put = client.put(group, RECORD, LENGTH);
    Message release = request(2, new Names.Release(file, false, Names.ALL_OPENS));
    String home = client.homeOf(client.instance().rootGroup());
    deleteBefore(put, () -> client.send(home, Lane.CONTROL, release));
    assertThat(audit.problems()).isEmpty();
  }

  @Test
  void theClientHasEndedItsSession() {
    begin();
    long put = client.put(group, RECORD, LENGTH);
    deleteBefore(put, () -> client.sendNames(RawClient.SESSION, new Names.EndSession()));
    assertThat(audit.problems()).isEmpty();
  }

  @Test
  void theClientReliesOnIt() {
    long file = begin();
    long put = client.put(group, RECORD, LENGTH);
    String home = client.homeOf(client.instance().rootGroup());
    client.send(home, Lane.CONTROL, request(1, new Names.Release(file, false, Names.ALL_OPENS)));
    RawClient seat = new RawClient(world, Handshake.Role.SEAT, client.homeOf(group));
    Data.Kill kill =
        new Data.Kill(group, client.group(group).epoch(), List.of(Data.Dead.record(RECORD)));
    deleteBefore(put, () -> seat.send(client.homeOf(group), Lane.CONTROL, kill));
    assertThat(audit.problems()).extracting(Problem::rule).containsOnly("P9");
  }
}
