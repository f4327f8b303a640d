// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.AttemptId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The writers of this process by attempt. Any thread; a writer is used under its own lock. */
final class OpenWriters {
  private static final Logger LOG = LoggerFactory.getLogger(OpenWriters.class);

  /** Beyond this number, the least recently used writers are forced and closed. */
  private static final int WRITERS_MAX = 128;

  // Guarded by this; in the order of their last use.
  private final Map<AttemptId, Writer> writers = new LinkedHashMap<>(16, 0.75f, true);

  Writer get(AttemptId attempt) {
    Map.Entry<AttemptId, Writer> surplus = null;
    Writer writer;
    synchronized (this) {
      writer = writers.computeIfAbsent(attempt, key -> new Writer());
      if (writers.size() > WRITERS_MAX) {
        surplus = Map.entry(writers.keySet().iterator().next(), writers.values().iterator().next());
        writers.remove(surplus.getKey());
      }
    }
    if (surplus != null) letGo(surplus.getKey(), surplus.getValue());
    return writer;
  }

  /** Forces what this process has written. One that failed stays, so that it fails again. */
  void force(AttemptId attempt) throws IOException {
    Writer writer = find(attempt);
    if (writer == null) return;
    synchronized (writer) {
      writer.force();
    }
    remove(attempt);
  }

  /** Closes what an attempt has open. One that failed stays, so that a force of it fails. */
  void release(AttemptId attempt) {
    Writer writer = find(attempt);
    if (writer == null) return;
    synchronized (writer) {
      if (writer.release()) remove(attempt);
    }
  }

  /** Drops the writer of a deleted file. */
  void forget(AttemptId attempt) {
    Writer writer = remove(attempt);
    if (writer != null) letGo(attempt, writer);
  }

  void close() {
    List<AttemptId> attempts;
    synchronized (this) {
      attempts = List.copyOf(writers.keySet());
    }
    for (AttemptId attempt : attempts) forget(attempt);
  }

  private synchronized @Nullable Writer find(AttemptId attempt) {
    return writers.get(attempt);
  }

  private synchronized @Nullable Writer remove(AttemptId attempt) {
    return writers.remove(attempt);
  }

  private static void letGo(AttemptId attempt, Writer writer) {
    try {
      synchronized (writer) {
        writer.force();
      }
    } catch (IOException gone) {
      // Expected if its file is deleted; else the commit finds a wrong size.
      LOG.debug("attempt {} could not be forced", attempt, gone);
    }
  }
}
