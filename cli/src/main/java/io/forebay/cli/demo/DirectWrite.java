// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The application's wait without a buffer: the same ranks write the same bytes into files of the
 * same names directly to the backing store, and force them.
 */
public final class DirectWrite implements AutoCloseable {
  private final Burst burst;
  private final BurstPattern pattern;
  private final BackingStore store;
  private final Attempt shared;
  private final Ranks ranks = new Ranks();

  private DirectWrite(Burst burst, BackingStore store) throws IOException {
    this.burst = burst;
    this.pattern = new BurstPattern(burst.seed());
    this.store = store;
    this.shared = begin(Checkpoint.SHARED, burst.bytes() / 2);
  }

  /** Lets the ranks write to the store at that address. */
  public static DirectWrite begin(Burst burst, String address) throws IOException {
    DirectWrite write = new DirectWrite(burst, BackingStores.ofThisProgram().open(address));
    write.ranks.start(write::run);
    return write;
  }

  /** Whether everything is written and forced; if that failed, this says why. */
  public boolean isFinished() throws IOException {
    return ranks.finished();
  }

  /** The bytes written so far. */
  public long writtenBytes() {
    return ranks.doneBytes();
  }

  /** How long the application has waited, without the time to generate the bytes. */
  public long waitedNanos() {
    return ranks.waitedNanos();
  }

  private void run(int rank) throws IOException {
    Attempt own = begin(Checkpoint.ownFile(rank), burst.bytes() / 2 / DemoPlan.RANKS);
    ByteBuffer record = BurstPattern.buffer();
    for (int number = 0; number < burst.recordsPerRank(); number++) {
      pattern.fill(record, rank, number);
      Checkpoint.Spot spot = Checkpoint.spot(rank, number);
      Attempt file = spot.file().equals(Checkpoint.SHARED) ? shared : own;
      ranks.waiting(rank, () -> write(file, record, spot.offset()));
      ranks.done(BurstPattern.RECORD_BYTES);
    }
    ranks.waiting(rank, () -> force(own));
  }

  private Attempt begin(String name, long bytes) throws IOException {
    AttemptPlan wanted =
        new AttemptPlan(
            new AttemptId("direct." + name), BackingPath.of(name), bytes, FileAttributes.NONE);
    try {
      return store.begin(wanted);
    } catch (BackingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private boolean write(Attempt file, ByteBuffer record, long offset) throws IOException {
    try {
      store.write(file, offset, List.of(record));
      return true;
    } catch (BackingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private boolean force(Attempt own) throws IOException {
    try {
      store.force(shared);
      store.force(own);
      return true;
    } catch (BackingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
