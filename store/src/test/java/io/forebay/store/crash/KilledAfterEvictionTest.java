// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.StoreConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A record is evicted and then killed: its bytes are still in the log, and must not come back. */
@Timeout(60)
final class KilledAfterEvictionTest {
  private static final int SEGMENT = 64 * 1024;
  private static final long PAUSE_NANOS = 100_000;
  private static final RecordId ID = new RecordId(9, 0);

  @TempDir Path temporary;

  @Test
  void aRecordThatWasEvictedAndKilledStaysDead() throws Exception {
    Scope.Records scope = new Scope.Records(ID.session(), ID.sequence(), ID.sequence());
    try (LogDirectory log = open()) {
      Store store = log.store();
      put(store, ID);
      // Keeps the segment from being freed.
      put(store, new RecordId(9, 1));
      assertThat(store.markClean(1, List.of(scope), Level.KEPT, answer -> {}))
          .isEqualTo(Commit.DONE);
      assertThat(store.evict(1)).isPositive();
      assertThat(store.kill(List.of(scope), Level.KEPT, answer -> {})).isEqualTo(Commit.DONE);
      // Moves the clean mark on; the tombstone beside it is needed as long as the record stands.
      store.seal();
      assertThat(store.compactEmptiest()).isTrue();
      while (store.poll()) LockSupport.parkNanos(PAUSE_NANOS);
    }
    try (LogDirectory log = open()) {
      assertThat(log.store().present(ID)).isFalse();
    }
  }

  private LogDirectory open() throws Exception {
    return LogDirectory.open(
        LogDirectory.Options.create(
                temporary.resolve("seat"), StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 40 * SEGMENT))
            .withMemoryRoot(temporary),
        MonotonicClock.system(),
        new SplittableRandom(),
        StoreEvents.NONE,
        () -> {});
  }

  private static void put(Store store, RecordId id) {
    RecordHeader header = RecordHeader.data(id, new FileId(1, 1), 0, 100);
    Reserve reserve = store.reserve(header, Level.KEPT);
    while (reserve instanceof Reserve.Full) {
      store.poll();
      LockSupport.parkNanos(PAUSE_NANOS);
      reserve = store.reserve(header, Level.KEPT);
    }
    assertThat(store.commit(((Reserve.Reserved) reserve).reservation(), null, answer -> {}))
        .isEqualTo(Commit.DONE);
  }
}
