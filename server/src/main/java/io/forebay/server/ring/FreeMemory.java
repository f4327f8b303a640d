// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory is still available to programs on this machine, or in this container. */
final class FreeMemory {
  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final long KIB = 1024;

  private FreeMemory() {}

  /** As far as the system reports it; else no bound. */
  static long bytes() throws IOException {
    if (!Files.isReadable(MEMINFO)) return Long.MAX_VALUE;
    long free = Long.MAX_VALUE;
    long total = Long.MAX_VALUE;
    for (String line : Files.readAllLines(MEMINFO)) {
      if (line.startsWith("MemAvailable:")) free = value(line);
      if (line.startsWith("MemTotal:")) total = value(line);
    }
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    // Less than the machine has: a container, where the machine's free memory says little.
    boolean contained = system.getTotalMemorySize() < total;
    return contained ? Math.min(free, system.getFreeMemorySize()) : free;
  }

  /** From a line such as {@code MemTotal: 24682000 kB}. */
  private static long value(String line) {
    return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB;
  }
}
