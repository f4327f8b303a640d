package io.forebay.mount;

import io.forebay.mount.fuse.Errno;
import io.forebay.mount.fuse.ErrnoException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the cluster answers at all. When a request has ended for want of an answer, the cluster
 * is asked something simple; as long as that is not answered either, requests fail at once, so that
 * programs do not wait the full time for each. Any thread.
 */
final class Presence {
  /** Asks the cluster something simple; may take as long as any request. */
  interface Question {
    void ask() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

  /** A cluster that is there answers within that. */
  private static final long DOUBT_MILLIS = 2_000;

  /** Between two questions that fail faster than that. */
  private static final long PAUSE_MILLIS = 500;

  private final Question question;
  private final String cluster;
  private boolean asking;
  private volatile boolean gone;

  Presence(Question question, String cluster) {
    this.question = question;
    this.cluster = cluster;
  }

  boolean isGone() {
    return gone;
  }

  /** Fails if the cluster is known not to answer. */
  void require() throws ErrnoException {
    if (gone) throw new ErrnoException(Errno.EIO);
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
      TimeUnit.MILLISECONDS.sleep(DOUBT_MILLIS);
    } catch (InterruptedException answered) {
      Thread.currentThread().interrupt();
      return;
    }
    synchronized (this) {
      if (!asking) return;
      gone = true;
    }
    LOG.warn("{} does not answer; programs get errors until it does", cluster);
  }
}
