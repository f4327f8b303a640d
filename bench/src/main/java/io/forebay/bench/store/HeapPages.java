// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Levels the ground for measurements on the heap. A server's heap does not shrink, so neither does
 * this one once asked: first touches of pages would cost more than what is measured.
 */
final class HeapPages {
  /** Smaller indexes come and go without the collector's noticing. */
  private static final int LARGE_ENTRIES = 1_000_000;

  private HeapPages() {}

  /** From now on the heap keeps the pages it has. */
  static void keep() {
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .setVMOption("MaxHeapFreeRatio", "100");
  }

  /** Collects what earlier measurements left, lest it be done on a large one's time. */
  static void collectBefore(int entries) {
    if (entries >= LARGE_ENTRIES) System.gc();
  }
}
