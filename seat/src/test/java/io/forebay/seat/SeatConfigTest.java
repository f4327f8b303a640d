// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.GroupState;
import io.forebay.seat.journal.JournalEntry;
import io.forebay.store.tier.StoreConfig;
import org.junit.jupiter.api.Test;

class SeatConfigTest {
  @Test
  void aPartOfASnapshotFitsIntoARecordOfTheSmallestSegment() {
    int segmentBytes = SeatConfig.SEGMENT_BYTES_MIN;
    StoreConfig store =
        StoreConfig.memory(segmentBytes, (long) StoreConfig.SLOTS_MIN * segmentBytes);
    assertThat(store.payloadBytesMax() - JournalEntry.HEAD_BYTES)
        .isGreaterThanOrEqualTo(GroupState.CHUNK_BYTES_MIN);
  }
}
