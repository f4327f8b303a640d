// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/**
 * The processor time that this process has used, of all its threads. The JVM's own figure comes in
 * steps of 10 ms, which is as much as a short measurement takes; so the kernel is asked.
 */
public final class CpuTime {
  /** Linux: {@code CLOCK_PROCESS_CPUTIME_ID}. */
  private static final int PROCESS_CLOCK = 2;

  @SuppressWarnings("restricted") // Benchmarks run with native access.
  private static final MethodHandle CLOCK_GETTIME =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

  private CpuTime() {}

  public static long nanos() {
    try (Arena arena = Arena.ofConfined()) {
      // Seconds, and nanoseconds behind them.
      MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
      int failed = (int) CLOCK_GETTIME.invokeExact(PROCESS_CLOCK, time);
      if (failed != 0) throw new IllegalStateException("the kernel tells no processor time");
      return TimeUnit.SECONDS.toNanos(time.getAtIndex(ValueLayout.JAVA_LONG, 0))
          + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("clock_gettime cannot be called", e);
    }
  }
}
