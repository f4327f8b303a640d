// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.AttemptId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels through which this process writes attempts. They stay open from the first write to
 * the force: the system reports a write-back error only to descriptors that were open at that time,
 * so a force through a new channel could succeed although bytes are lost. Each writer has its own
 * channel while it writes, since a channel has one position. Any thread.
 */
final class OpenAttempts {
  /** Opens the temporary file again. */
  interface Opener {
    FileChannel open() throws IOException;
  }

  /** A force has failed before: the system may have dropped unwritten bytes. */
  static final class BytesLost extends IOException {
    private static final long serialVersionUID = 1L;

    BytesLost() {
      super("an earlier force of it failed");
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(OpenAttempts.class);

  /** Beyond this number, the least recently used attempts are forced and closed. */
  static final int ATTEMPTS_MAX = 128;

  /** How many attempts with a failed force are remembered. */
  static final int FAILED_MAX = 4_096;

  /** After this many bytes of an attempt they are sent to the device, while others write more. */
  static final long FLUSH_BYTES = 32L << 20;

  private static final class Channels {
    final List<FileChannel> all = new ArrayList<>();
    final Deque<FileChannel> idle = new ArrayDeque<>();
    long unflushedBytes;
    boolean flushing;

    boolean inUse() {
      return idle.size() < all.size();
    }
  }

  // Both, and what channels have counted, guarded by this; in the order of their last use.
  private final Map<AttemptId, Channels> open = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<AttemptId> failed = new LinkedHashSet<>();

  /** A channel for one write, to be returned. */
  FileChannel borrow(AttemptId attempt, Opener opener) throws IOException {
    FileChannel idle = idleChannel(attempt);
    if (idle != null) return idle;
    FileChannel opened = opener.open();
    AttemptId surplus;
    synchronized (this) {
      open.computeIfAbsent(attempt, key -> new Channels()).all.add(opened);
      surplus = surplus();
    }
    if (surplus != null) retire(surplus, opener);
    return opened;
  }

  /**
   * Records bytes that were written through a borrowed channel. Now and then this blocks until the
   * device has them: then the force at the end finds little to do, memory does not fill with dirty
   * pages, and errors are known early.
   */
  void written(AttemptId attempt, FileChannel channel, long bytes) throws IOException {
    Channels channels;
    synchronized (this) {
      channels = open.get(attempt);
      if (channels == null) return;
      channels.unflushedBytes += bytes;
      if (channels.flushing || channels.unflushedBytes < FLUSH_BYTES) return;
      channels.unflushedBytes = 0;
      channels.flushing = true;
    }
    try {
      channel.force(false);
    } catch (IOException failure) {
      fail(attempt);
      throw failure;
    } finally {
      synchronized (this) {
        channels.flushing = false;
      }
    }
  }

  void giveBack(AttemptId attempt, FileChannel channel) throws IOException {
    synchronized (this) {
      Channels channels = open.get(attempt);
      if (channels != null && channels.all.contains(channel)) {
        channels.idle.add(channel);
        return;
      }
    }
    channel.close(); // forgotten meanwhile
  }

  /** Forces the writes, through the oldest channel, which has seen everything. */
  void force(AttemptId attempt, Opener opener) throws IOException {
    FileChannel first;
    synchronized (this) {
      if (failed.contains(attempt)) throw new BytesLost();
      Channels channels = open.get(attempt);
      first = channels == null ? null : channels.all.getFirst();
    }
    try {
      if (first != null) {
        first.force(true);
      } else {
        try (FileChannel channel = opener.open()) {
          channel.force(true);
        }
      }
    } catch (IOException failure) {
      fail(attempt);
      throw failure;
    }
    Channels done = takeIdle(attempt);
    if (done != null) closeAll(done);
  }

  synchronized boolean isOpen(AttemptId attempt) {
    return open.containsKey(attempt);
  }

  /**
   * Forces the writes and closes the channels, unless one is in use. The channels of an attempt
   * that could not be forced are closed as well: no force of it succeeds any more.
   */
  void release(AttemptId attempt, Opener opener) throws IOException {
    try {
      force(attempt, opener);
    } catch (IOException failure) {
      forget(attempt);
      throw failure;
    }
  }

  /** Lets the channels of an attempt go, unforced. */
  void forget(AttemptId attempt) throws IOException {
    Channels channels;
    synchronized (this) {
      channels = open.remove(attempt);
    }
    if (channels == null) return;
    // Borrowed channels are closed when they are returned.
    for (FileChannel channel : channels.idle) channel.close();
  }

  void close() throws IOException {
    List<AttemptId> attempts;
    synchronized (this) {
      attempts = List.copyOf(open.keySet());
    }
    for (AttemptId attempt : attempts) forget(attempt);
  }

  private synchronized @Nullable FileChannel idleChannel(AttemptId attempt) throws IOException {
    if (failed.contains(attempt)) throw new BytesLost();
    Channels channels = open.get(attempt);
    return channels == null ? null : channels.idle.poll();
  }

  private synchronized @Nullable Channels takeIdle(AttemptId attempt) {
    Channels channels = open.get(attempt);
    if (channels == null || channels.inUse()) return null;
    return open.remove(attempt);
  }

  private synchronized void fail(AttemptId attempt) {
    failed.add(attempt);
    if (failed.size() > FAILED_MAX) failed.remove(failed.iterator().next());
  }

  /** The least recently used attempt, if there are too many. */
  private @Nullable AttemptId surplus() {
    if (open.size() <= ATTEMPTS_MAX) return null;
    for (Map.Entry<AttemptId, Channels> entry : open.entrySet()) {
      if (!entry.getValue().inUse()) return entry.getKey();
    }
    return null;
  }

  private void retire(AttemptId attempt, Opener opener) {
    try {
      force(attempt, opener);
    } catch (IOException failure) {
      // Remembered: the next force of the attempt fails.
      LOG.warn("attempt {} could not be forced", attempt, failure);
    }
  }

  private static void closeAll(Channels channels) throws IOException {
    for (FileChannel channel : channels.all) channel.close();
  }
}
