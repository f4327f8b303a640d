// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks that programs have given up while no server answered. They are given up as soon as one
 * does: else others would wait for as long as this client lives. Nothing is locked before, since an
 * unlock that comes late must not take away a lock that the same owner has got after it. Any
 * thread.
 */
public final class PendingUnlocks {
  /** One of them. */
  public interface Owed {
    /** Whether there is nothing left to give up: the session has ended. */
    boolean isOver();

    void unlock() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PendingUnlocks.class);
  private static final long PAUSE_MILLIS = 1_000;

  /** Far longer than sessions live that are not heard of. */
  private static final int TRIES_MAX = 600;

  private final List<Owed> owed = new ArrayList<>();
  private boolean trying;

  /** Remembers one, and tries again by itself. */
  public synchronized void add(Owed unlock) {
    owed.add(unlock);
    if (trying) return;
    trying = true;
    Thread thread = new Thread(this::tryOften, "forebay-unlock");
    thread.setDaemon(true);
    thread.start();
  }

  /** Gives up what is owed; fails if that is not possible now. Called before anything is locked. */
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
        LOG.debug("a lock could not be given up yet", e);
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
