// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.FileTree;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One file, a ledger that says what the test wants, and a clock that the pauses move. */
@Timeout(30)
class DurableWaitTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long FILE = 7;
  private static final long VERSION = 3;
  private static final long BYTES = 100;

  private long now;

  private static final FileTree TREE =
      new FileTree() {
        @Override
        public FileStat stat(String path) {
          return new FileStat(
              FILE,
              FileStat.Kind.FILE,
              0644,
              0,
              0,
              1,
              BYTES,
              BYTES,
              Instant.EPOCH,
              Instant.EPOCH,
              Instant.EPOCH,
              VERSION,
              0);
        }

        @Override
        public Iterator<DirectoryEntry> list(String directory) {
          throw new IllegalStateException("there are no directories");
        }

        @Override
        public Content open(String path) {
          throw new IllegalStateException("nothing is read");
        }
      };

  private static Names.LedgerIs ledger(
      Names.DrainState state, Names.DrainOutlook outlook, String trouble) {
    long durable = state == Names.DrainState.DURABLE ? VERSION : 0;
    Names.LedgerEntry entry =
        new Names.LedgerEntry(
            FILE, "/file", BYTES, VERSION, durable, durable > 0, state, 0, 1, 0, "");
    return new Names.LedgerIs(List.of(entry), false, 0, trouble, 0, outlook);
  }

  private void await(DurableWait.Pages pages) throws IOException {
    DurableWait wait = new DurableWait(TREE, pages, () -> now, nanos -> now += nanos);
    wait.add("/file");
    wait.await(HOUR, null, progress -> {});
  }

  private static Names.LedgerIs broken() {
    return ledger(
        Names.DrainState.WAITING, Names.DrainOutlook.NEEDS_REPAIR, "the store refuses its key");
  }

  @Test
  void troubleThatNeedsAnOperatorIsWaitedForHalfAMinute() {
    assertThatThrownBy(() -> await((after, max) -> broken()))
        .isInstanceOf(NotDurableException.class)
        .hasMessageContaining("the store refuses its key")
        .hasMessageContaining("waiting does not help until that is repaired");
    assertThat(now).isBetween(DurableWait.REPAIR_NANOS, DurableWait.REPAIR_NANOS + 2 * SECOND);
  }

  @Test
  void aFileThatWasChangedInTheStoreIsWaitedForHalfAMinute() {
    assertThatThrownBy(
            () ->
                await(
                    (after, max) ->
                        ledger(Names.DrainState.CHANGED, Names.DrainOutlook.GOES_ON, "")))
        .hasMessageContaining("changed it in the backing store");
    assertThat(now).isBetween(DurableWait.REPAIR_NANOS, DurableWait.REPAIR_NANOS + 2 * SECOND);
  }

  @Test
  void troubleThatIsRepairedInTimeCountsFromAnewNextTime() throws IOException {
    await(
        (after, max) -> {
          if (now < 25 * SECOND) return broken();
          if (now < 30 * SECOND) {
            return ledger(Names.DrainState.DRAINING, Names.DrainOutlook.GOES_ON, "");
          }
          if (now < 55 * SECOND) return broken();
          return ledger(Names.DrainState.DURABLE, Names.DrainOutlook.GOES_ON, "");
        });
    assertThat(now).isBetween(55 * SECOND, 57 * SECOND);
  }

  @Test
  void whatGoesOnByItselfIsWaitedForAsLongAsWanted() {
    assertThatThrownBy(
            () ->
                await(
                    (after, max) ->
                        ledger(Names.DrainState.WAITING, Names.DrainOutlook.GOES_ON, "")))
        .hasMessageContaining("wait longer");
    assertThat(now).isEqualTo(HOUR.toNanos());
  }

  @Test
  void whatIsNeverAskedForIsNotWaitedFor() {
    assertThatThrownBy(
            () ->
                await(
                    (after, max) ->
                        ledger(Names.DrainState.BUFFERED, Names.DrainOutlook.NEEDS_REQUEST, "")))
        .hasMessageContaining("ask for it with 'forebay drain /file'");
    assertThat(now).isZero();
  }
}
