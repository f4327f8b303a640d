// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.store.crash.LedgerLine.Ending;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes a workload's ledger, each line at once and in one piece. Called by the workload only. */
final class Teller {
  private final OutputStream out;
  private long nextNumber;
  private int inFlight;

  /** Begins a ledger on a stream that keeps nothing back. */
  Teller(OutputStream out) {
    this.out = out;
  }

  void tell(LedgerLine line) {
    try {
      out.write((line.text() + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // The other process is gone, and this one has no purpose without it.
      throw new UncheckedIOException(e);
    }
  }

  /** Says what is about to be tried. */
  long intend(Level level, Act act) {
    long number = nextNumber++;
    inFlight++;
    tell(new LedgerLine.Intent(number, level, act));
    return number;
  }

  /** To be told how an intention ended, if that is not known at once. */
  Waiter waiter(long number, Runnable acknowledged) {
    return answer -> {
      if (answer instanceof Waiter.Answer.Reached) acknowledge(number, acknowledged);
      else end(number, Ending.FAILED);
    };
  }

  /** Takes note of what a call to the store gave; true unless it was refused. */
  boolean answered(long number, Commit commit, Runnable acknowledged) {
    switch (commit) {
      case PENDING -> {}
      case DONE -> acknowledge(number, acknowledged);
      default -> refused(number);
    }
    return commit == Commit.PENDING || commit == Commit.DONE;
  }

  void refused(long number) {
    end(number, Ending.REFUSED);
  }

  /** Intentions whose end is not known yet. */
  int inFlight() {
    return inFlight;
  }

  private void acknowledge(long number, Runnable acknowledged) {
    end(number, Ending.ACKNOWLEDGED);
    acknowledged.run();
  }

  private void end(long number, Ending ending) {
    inFlight--;
    tell(new LedgerLine.Outcome(number, ending));
  }
}
