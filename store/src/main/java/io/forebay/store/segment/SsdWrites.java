// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import java.util.TreeMap;

/**
 * The bytes that were written to the SSD: by ingest, spill and compaction, journals included. The
 * owner takes the bytes of each instance now and then.
 */
public final class SsdWrites {
  /** Gets the bytes of an instance. */
  public interface Taker {
    void take(int instance, long bytes);
  }

  private final TreeMap<Integer, Long> instances = new TreeMap<>();
  private long totalBytes;
  private int lastInstance;
  private long lastBytes;

  /** Records of one instance mostly follow each other. */
  void wrote(int instance, int bytes) {
    totalBytes += bytes;
    if (instance != lastInstance) {
      settle();
      lastInstance = instance;
    }
    lastBytes += bytes;
  }

  private void settle() {
    // Journals belong to no instance.
    if (lastInstance > 0 && lastBytes > 0) instances.merge(lastInstance, lastBytes, Long::sum);
    lastBytes = 0;
  }

  /** Since the store was opened. */
  public long totalBytes() {
    return totalBytes;
  }

  /** Gives away the bytes of each instance since the last call. */
  public void take(Taker taker) {
    settle();
    instances.forEach(taker::take);
    instances.clear();
  }
}
