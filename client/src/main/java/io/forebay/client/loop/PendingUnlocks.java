// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unlocks that no server answered. They are retried until one answers: otherwise other clients
 * would wait as long as this client lives. No new lock is taken before, since a late unlock must
 * not release a newer lock of the same owner. Any thread.
 */
public final class PendingUnlocks {
  /** One of them. */
  public interface Owed {
    /** Whether no lock is left to release: the session has ended. */
    boolean isOver();

    void unlock() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PendingUnlocks.class);
  private static final long PAUSE_MILLIS = 1_000;

  /** Far longer than silent sessions live. */
  private static final int TRIES_MAX = 600;

  private final List<Owed> owed = new ArrayList<>();
  private boolean trying;

  /** Adds an unlock and retries it in the background. */
  public synchronized void add(Owed unlock) {
    owed.add(unlock);
    if (trying) return;
    trying = true;
    Thread thread = new Thread(this::tryOften, "forebay-unlock");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Performs the pending unlocks; fails if that is impossible now. Called before any lock is taken.
   */
  public synchronized void settle() throws IOException {
    while (!owed.isEmpty()) {
      Owed first = owed.get(0);
      if (!first.isOver()) first.unlock();
      owed.remove(0);
    }
  }

  synchronized int count() {
    return owed.size();
  }

  private void tryOften() {
    for (int tries = 0; tries < TRIES_MAX && count() > 0; tries++) {
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        settle();
      } catch (IOException e) {
        LOG.debug("a lock could not be released yet", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    synchronized (this) {
      trying = false;
    }
  }
}
