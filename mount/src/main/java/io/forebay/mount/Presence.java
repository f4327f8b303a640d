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
 * Whether the cluster answers at all. When a request has ended for want of an answer, the cluster
 * is asked something simple. If that is not answered either, and no server has been heard of for a
 * while, requests fail at once, so that programs do not wait the full time for each. Servers that
 * are only slow are waited for. Any thread.
 */
final class Presence {
  /** Asks the cluster something simple; may take as long as any request. */
  interface Question {
    void ask() throws IOException;
  }

  /** For how long no server has been heard of. */
  interface Silence {
    Duration silence() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

  /** A cluster that is there, and has not much to do, answers within that. */
  private static final long DOUBT_MILLIS = 2_000;

  /** Between two questions that fail faster than that. */
  private static final long PAUSE_MILLIS = 500;

  private final Question question;
  private final Silence silence;
  private final Duration silenceMax;
  private final String cluster;
  private boolean asking;
  private volatile boolean gone;

  /**
   * Assumes that the cluster is there.
   *
   * @param silenceMax a server that is only slow is heard of at least so often
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

  /** Fails if the cluster is known not to answer. */
  void require() throws ErrnoException {
    if (gone) throw new ErrnoException(Errno.EIO, cluster + " does not answer");
  }

  /** Something failed: perhaps because nobody is there. */
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
