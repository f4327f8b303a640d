// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

import io.forebay.client.file.FileStat;
import io.forebay.wire.message.Names;
import java.time.Instant;
import java.util.List;

/**
 * The drain states of an instance's files.
 *
 * @param entries all files, in the order of their numbers
 * @param bytesPerSecond how fast they are being drained now
 * @param trouble why draining is stopped, as a sentence; empty if it is not
 * @param leftOut how many symbolic links and special files of the backing store are not shown
 */
public record Ledger(List<Entry> entries, long bytesPerSecond, String trouble, long leftOut) {
  /** The way of a file. */
  public enum State {
    /** In the buffer only; no drain is due yet. */
    BUFFERED,
    /** To be drained when its turn comes, or when the store works again. */
    WAITING,
    /** Being written to the backing store. */
    DRAINING,
    /** Written; about to get its name there. */
    NAMING,
    /** The backing store has all that was published. */
    DURABLE,
    /** Another program changed or removed it in the backing store. */
    CHANGED
  }

  /**
   * The drain state of a file.
   *
   * @param number the file's number, as in {@link FileStat}
   * @param path one of its names; empty if it has none
   * @param durableVersion the version that the backing store has; 0 for none
   * @param backed whether some of its bytes are in the backing store only
   * @param doneBytes of what is being written now
   * @param attempts how often it was begun since it was last durable
   * @param since when it entered its state
   * @param lastError why the last attempt failed, as a sentence; empty if it did not
   */
  public record Entry(
      long number,
      String path,
      long sizeBytes,
      long version,
      long durableVersion,
      boolean backed,
      State state,
      long doneBytes,
      int attempts,
      Instant since,
      String lastError) {
    static Entry of(Names.LedgerEntry told) {
      State state =
          switch (told.state()) {
            case BUFFERED -> State.BUFFERED;
            case WAITING -> State.WAITING;
            case DRAINING -> State.DRAINING;
            case NAMING -> State.NAMING;
            case DURABLE -> State.DURABLE;
            case CHANGED -> State.CHANGED;
          };
      return new Entry(
          told.file(),
          told.path().isEmpty() || told.path().startsWith("/") ? told.path() : "/" + told.path(),
          told.sizeBytes(),
          told.version(),
          told.durableVersion(),
          told.backed(),
          state,
          told.doneBytes(),
          told.attempts(),
          FileStat.instant(told.sinceNanos()),
          told.lastError());
    }

    /** Whether the backing store has everything that was published up to a version. */
    public boolean isDurable(long upToVersion) {
      if (state == State.CHANGED) return false;
      // An empty file without any publish has version 0, as has a file that is not stored.
      return state == State.DURABLE || (durableVersion > 0 && durableVersion >= upToVersion);
    }

    /** How many of its bytes the backing store has or is receiving. */
    public long storedBytes() {
      return state == State.DURABLE ? sizeBytes : Math.min(sizeBytes, doneBytes);
    }
  }

  public Ledger {
    entries = List.copyOf(entries);
  }
}
