// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Operation;
import io.forebay.simulation.history.Run;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One client's writes to one file, grouped into batches by its publishes. */
final class Chain {
  private final FileHistory file;

  /** Batches whose publish was requested or not, but is not certainly done. */
  private final List<Batch> pending = new ArrayList<>();

  /** All changes whose outcome the client does not know. */
  private final List<Change> unsure = new ArrayList<>();

  private int lineage;
  private @Nullable Batch open;
  private @Nullable Batch last;

  Chain(FileHistory file) {
    this.file = file;
    this.lineage = file.newLineage();
  }

  void write(Operation operation, Action.Write write) {
    Batch batch = open;
    if (batch == null) {
      batch = new Batch(lineage);
      open = batch;
    }
    // An acknowledged write is kept with all its records, which need not be told apart then.
    long recordBytes = operation.isDone() ? Long.MAX_VALUE : write.recordBytes();
    long from = write.offset();
    while (from < write.endOffset()) {
      long to = from + Math.min(write.endOffset() - from, recordBytes - from % recordBytes);
      batch.pieces.add(file.newPiece(operation, write.value(), from, to, batch));
      from = to;
    }
  }

  void publish(Operation operation) {
    closeBatch();
    // A truncation may be refused after its publish was done.
    Truncation truncation = Truncation.of(operation, last);
    boolean asks = !operation.isRefused() || truncation != null;
    if (asks) {
      for (Batch batch : pending) batch.ask(operation);
    }
    if (operation.isDone()) {
      for (Batch batch : pending) batch.published(operation);
      pending.clear();
    }
    if (truncation != null && !operation.isRefused()) {
      file.truncations.add(truncation);
      if (!truncation.happened) unsure.add(truncation);
    }
    if (operation.action() instanceof Action.Close) forget(operation);
  }

  private void closeBatch() {
    Batch batch = open;
    if (batch == null) return;
    open = null;
    batch.previous = last;
    last = batch;
    pending.add(batch);
    file.batches.add(batch);
  }

  /** The client will not publish its unpublished batches any more. */
  private void forget(Operation close) {
    for (Batch batch : pending) {
      batch.forgotten = close.begun();
      batch.overlayEnd = close.ended();
    }
    unsure.addAll(pending);
    pending.clear();
    last = null;
    lineage = file.newLineage();
  }

  /** No request takes effect after the end of the session. */
  void sessionEnded(Operation end) {
    unsure.addAll(pending);
    for (Change change : unsure) {
      change.narrowLatest(Bound.end(end, Bound.Why.SESSION_ENDED, Run.ZEROS));
    }
  }
}
