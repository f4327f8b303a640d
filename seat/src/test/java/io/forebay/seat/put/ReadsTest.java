// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.Callers;
import io.forebay.seat.peer.RecordedNetwork;
import io.forebay.seat.right.RecordRights;
import io.forebay.seat.right.TreeKeys;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadsTest {
  private static final FileId FILE = new FileId(1, 5);
  private static final GroupId GROUP = SmallRing.id(1, 1);

  private final TestSeat seat = new TestSeat();
  private final RecordedNetwork network = new RecordedNetwork();
  private final Reads reads =
      new Reads(
          seat.basics(),
          new RecordRights(
              new TreeKeys(seat.questions(), seat.basics().timers(), number -> null, group -> null),
              seat.basics().counters().limits()),
          new Callers() {
            @Override
            public boolean isSeat(Connection connection) {
              return true;
            }

            @Override
            public Maps.MapIs mapFor(Connection connection, long haveEpoch) {
              throw new IllegalStateException("no map is needed");
            }

            @Override
            public @Nullable String capabilityFor(Connection connection, Message message) {
              return null;
            }
          });

  private void read(RecordId record, long queuedBytes) {
    reads.get(
        network.client(queuedBytes),
        1,
        new Data.Get(GROUP, record, FILE.instance(), 0, TestSeat.RECORD_BYTES, 0));
    seat.settle();
  }

  @Test
  void aReaderThatDoesNotTakeItsBytesIsCounted() {
    RecordId record = seat.keep(FILE, GROUP);
    read(record, Limit.UNREAD_RECORDS.value());
    assertThat(seat.basics().counters().limits().of(Limit.UNREAD_RECORDS)).isZero();
    read(record, Limit.UNREAD_RECORDS.value() + 1);
    assertThat(network.sent()).hasSize(2);
    assertThat(seat.basics().counters().limits().of(Limit.UNREAD_RECORDS)).isEqualTo(1);
  }
}
