// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Uses;
import org.junit.jupiter.api.Test;

/** What homes count when their epoch changes (P30). */
class CountedWritesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 20_000;

  // Each change makes a snapshot due, and later changes wait for it.
  private final World world = new World(WorldOptions.CALM.withSnapshotBytes(1), 17);
  private final RawClient client = RawClient.withInstance(world, 2, false);
  private final GroupId group = client.instance().rootGroup();

  private long writtenBytes() {
    Uses.UsesAre uses =
        (Uses.UsesAre) client.call(client.homeOf(group), Lane.CONTROL, new Uses.GetUses(0));
    return uses.uses().stream()
        .filter(use -> use.group().equals(group))
        .mapToLong(Uses.GroupUse::writtenBytes)
        .sum();
  }

  @Test
  void aCountThatWaitsForASnapshotIsNotForgottenByTheNextEpochOfTheSameHome() {
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    Group before = client.group(group);
    RecordId record = new RecordId(RawClient.SESSION, RecordId.ATTEMPTS);
    // Without the member nothing is committed, so the snapshot waits until the member is replaced.
    world.network().partition(client.hostOf(before, 0), client.hostOf(before, 1), false);
    client.sendNames(
        RawClient.SESSION, new Names.Open(Names.ROOT, "f", true, true, true, false, false, 0644));
    long put = client.put(group, record, LENGTH);
    assertThat(client.await(put)).isEqualTo(new Data.PutDone(record));
    Group after = client.group(group);
    assertThat(after.epoch()).isGreaterThan(before.epoch());
    assertThat(after.home()).isEqualTo(before.home());
    assertThat(writtenBytes()).isEqualTo(LENGTH);
  }
}
