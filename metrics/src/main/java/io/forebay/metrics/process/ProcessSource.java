// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics.process;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.metrics.Source;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What the Java machine tells of this process. */
public final class ProcessSource implements Source {
  static final Metric UP =
      Metric.gauge("forebay_process", "Is 1; its label tells what this process is.", "process");
  static final Metric START =
      Metric.gauge(
          "process_start_time_seconds", "When the process started, in seconds since 1970.");
  static final Metric CPU =
      Metric.counter("process_cpu_seconds_total", "Processor time of the process.");
  static final Metric FILES =
      Metric.gauge("process_open_fds", "Open file descriptors of the process.");
  static final Metric FILES_MAX =
      Metric.gauge("process_max_fds", "How many file descriptors the process may have.");
  static final Metric HEAP =
      Metric.gauge("jvm_memory_used_bytes", "Used memory of the Java machine.", "area");
  static final Metric HEAP_MAX =
      Metric.gauge("jvm_memory_max_bytes", "The limit of that memory; -1 for none.", "area");
  static final Metric BUFFERS =
      Metric.gauge("jvm_buffer_pool_used_bytes", "Memory in buffers of the Java machine.", "pool");
  static final Metric THREADS =
      Metric.gauge("jvm_threads_current", "Platform threads of the Java machine.");
  static final Metric COLLECTING =
      Metric.counter(
          "jvm_gc_collection_seconds_total", "Time spent by garbage collectors.", "collector");

  /** What this class tells. */
  public static final List<Metric> METRICS =
      List.of(UP, START, CPU, FILES, FILES_MAX, HEAP, HEAP_MAX, BUFFERS, THREADS, COLLECTING);

  private static final double SECOND_MILLIS = 1e3;
  private static final double SECOND_NANOS = 1e9;

  private final String process;

  /**
   * Tells of this process.
   *
   * @param process server, manager, agent, mount or up
   */
  public ProcessSource(String process) {
    this.process = process;
  }

  @Override
  public void collect(Samples to) {
    to.add(UP, 1, process);
    to.add(START, ManagementFactory.getRuntimeMXBean().getStartTime() / SECOND_MILLIS);
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
      to.add(CPU, unix.getProcessCpuTime() / SECOND_NANOS);
      to.add(FILES, unix.getOpenFileDescriptorCount());
      to.add(FILES_MAX, unix.getMaxFileDescriptorCount());
    }
    var memory = ManagementFactory.getMemoryMXBean();
    to.add(HEAP, memory.getHeapMemoryUsage().getUsed(), "heap");
    to.add(HEAP, memory.getNonHeapMemoryUsage().getUsed(), "nonheap");
    to.add(HEAP_MAX, memory.getHeapMemoryUsage().getMax(), "heap");
    to.add(HEAP_MAX, memory.getNonHeapMemoryUsage().getMax(), "nonheap");
    for (var pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      to.add(BUFFERS, pool.getMemoryUsed(), pool.getName());
    }
    to.add(THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      to.add(COLLECTING, collector.getCollectionTime() / SECOND_MILLIS, collector.getName());
    }
  }
}
