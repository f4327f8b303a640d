// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the cluster answers at all. When a request has failed for lack of an answer, the cluster
 * is probed with a simple question. If that is not answered either, and all servers have been
 * silent for a while, requests fail at once, so that programs do not wait the full time for each.
 * Slow servers are waited for. Any thread.
 */
final class Presence {
  /** Asks the cluster a simple question; may take as long as any request. */
  interface Question {
    void ask() throws IOException;
  }

  /** How long ago the last server was heard from. */
  interface Silence {
    Duration silence() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

  /** An available cluster with little load answers within this time. */
  private static final long DOUBT_MILLIS = 2_000;

  /** The pause between two questions that fail faster. */
  private static final long PAUSE_MILLIS = 500;

  private final Question question;
  private final Silence silence;
  private final Duration silenceMax;
  private final String cluster;
  private boolean asking;
  private volatile boolean gone;

  /**
   * Assumes that the cluster is available.
   *
   * @param silenceMax the maximum silence of a server that is only slow
   */
  Presence(Question question, Silence silence, Duration silenceMax, String cluster) {
    this.question = question;
    this.silence = silence;
    this.silenceMax = silenceMax;
    this.cluster = cluster;
  }

  boolean isGone() {
    return gone;
  }

  /** Fails if the cluster is known to be silent. */
  void require() throws ErrnoException {
    if (gone) throw new ErrnoException(Errno.EIO, cluster + " does not answer");
  }

  /** A request failed: perhaps because the cluster is gone. */
  void failed(Throwable failure) {
    if (!ErrorNumbers.isSilence(failure)) return;
    synchronized (this) {
      if (asking) return;
      asking = true;
    }
    Thread.ofPlatform().daemon().name("forebay-presence").start(this::findOut);
  }

  private void findOut() {
    Thread doubt = Thread.ofPlatform().daemon().name("forebay-presence-doubt").start(this::doubt);
    try {
      while (!answers()) TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      doubt.interrupt();
      synchronized (this) {
        asking = false;
        if (gone) LOG.warn("{} answers again", cluster);
        gone = false;
      }
    }
  }

  private boolean answers() {
    try {
      question.ask();
      return true;
    } catch (IOException e) {
      return !ErrorNumbers.isSilence(e);
    }
  }

  private void doubt() {
    try {
      do TimeUnit.MILLISECONDS.sleep(DOUBT_MILLIS);
      while (silence.silence().compareTo(silenceMax) < 0);
    } catch (InterruptedException answered) {
      Thread.currentThread().interrupt();
      return;
    } catch (IOException e) {
      LOG.debug("the client has ended", e);
    }
    synchronized (this) {
      if (!asking) return;
      gone = true;
    }
    LOG.warn("{} does not answer; programs get errors until it does", cluster);
  }
}
