// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seats that are full to the brim can still be emptied, and then take writes again (P20). */
class FullStoreTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int SEGMENT_BYTES = 512 * 1024;
  private static final int LENGTH = 100_000;
  private static final int RECORDS_MAX = 1000;

  private record Written(String name, long number) {}

  private final List<Written> files = new ArrayList<>();
  private long sequence;

  @Test
  void withRareSnapshots() {
    fillAndEmpty(WorldOptions.CALM.snapshotBytes());
  }

  @Test
  void withSnapshotsAllTheTime() {
    fillAndEmpty(4000);
  }

  private void fillAndEmpty(long snapshotBytes) {
    WorldOptions options =
        WorldOptions.CALM
            .withStore(StoreConfig.hybrid(SEGMENT_BYTES, 8L * SEGMENT_BYTES, 12L * SEGMENT_BYTES))
            .withSnapshotBytes(snapshotBytes);
    World world = new World(options, 44);
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 6000 * SECOND));
    GroupId root = client.instance().rootGroup();
    while (files.size() < RECORDS_MAX && write(client, root)) world.runFor(1_000_000);
    assertThat(files.size()).as("the seats are full").isBetween(10, RECORDS_MAX - 1);
    world.runFor(20 * SECOND);
    for (Written file : files) {
      assertThat(client.names(new Names.Unlink(Names.ROOT, file.name)))
          .isInstanceOf(Replies.Done.class);
      client.names(new Names.Release(file.number));
    }
    int before = files.size();
    world.runFor(20 * SECOND);
    for (int i = 0; i < before / 2; i++) assertThat(write(client, root)).isTrue();
  }

  /** Writes a file of one record; false if there is no room. */
  private boolean write(RawClient client, GroupId group) {
    String name = "f" + ++sequence;
    Message opened =
        client.names(new Names.Open(Names.ROOT, name, true, true, true, false, false, 0644));
    assertThat(opened).isInstanceOf(Names.NodeIs.class);
    long number = ((Names.NodeIs) opened).attributes().number();
    RecordId record = new RecordId(RawClient.SESSION, sequence * 256);
    ByteBuffer bytes = RawClient.content(record, LENGTH);
    Data.Put put =
        new Data.Put(
            group,
            client.group(group).epoch(),
            record,
            new FileId(client.instance().id(), number),
            0,
            false,
            RawClient.SECRET,
            Checksums.of(BlockChecksums.of(bytes)));
    files.add(new Written(name, number));
    if (!(client.await(client.putAs(put, bytes)) instanceof Data.PutDone)) return false;
    Message published =
        client.names(
            new Names.Publish(
                number,
                false,
                false,
                List.of(new Names.Piece(0, LENGTH, group, record.sequence()))));
    assertThat(published).isInstanceOf(Names.Published.class);
    return true;
  }
}
