// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Prepares the heap for measurements. A server's heap does not shrink, so this one does not either
 * once requested: first touches of pages would cost more than the measured work.
 */
final class HeapPages {
  /** Smaller indexes do not cause a collection. */
  private static final int LARGE_ENTRIES = 1_000_000;

  private HeapPages() {}

  /** From now on the heap keeps the pages it has. */
  static void keep() {
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .setVMOption("MaxHeapFreeRatio", "100");
  }

  /**
   * Collects the garbage of earlier measurements, so that it does not fall into a measured time.
   */
  static void collectBefore(int entries) {
    if (entries >= LARGE_ENTRIES) System.gc();
  }
}
