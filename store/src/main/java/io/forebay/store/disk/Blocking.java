// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends single requests and waits for them: for opening a log, before its owner's loop runs. */
public final class Blocking {
  /** Something to ask of a disk. */
  public interface Request {
    void send(Disk.Completion completion);
  }

  private static final long WAIT_NANOS = 100_000_000;

  private Blocking() {}

  /** Sends the request and polls the disk until it is answered. */
  public static Disk.Outcome call(Disk disk, Request request) {
    AtomicReference<Disk.@Nullable Outcome> answer = new AtomicReference<>();
    request.send(answer::set);
    Disk.Outcome outcome = answer.get();
    while (outcome == null) {
      try {
        disk.await(WAIT_NANOS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new Disk.Outcome.Failure(Disk.Reason.IO, "interrupted");
      }
      disk.poll();
      outcome = answer.get();
    }
    return outcome;
  }
}
