// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Fails if code allocates much more memory than its input is long: lengths and counts in an input
 * are not to be believed. Counts what the calling thread allocates in the heap, freed or not.
 *
 * @param baseBytes for any input
 * @param factor further bytes for each byte of the input
 */
public record AllocationBound(long baseBytes, int factor) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Runs the code on an input of that length, and once more if it seems to allocate too much. */
  public void check(int inputBytes, Runnable code) {
    long allowed = baseBytes + (long) factor * inputBytes;
    if (allocated(code) <= allowed) return;
    // The first time classes may have been loaded and tables filled.
    long allocated = allocated(code);
    if (allocated > allowed) {
      throw new AssertionError(
          "an input of %d bytes made the code allocate %d bytes; at most %d"
              .formatted(inputBytes, allocated, allowed));
    }
  }

  private static long allocated(Runnable code) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    code.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
