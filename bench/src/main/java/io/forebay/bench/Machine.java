// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The machine of the measurements. */
public record Machine(int cores, long memoryBytes, String java) {
  public static Machine current() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        system.getTotalMemorySize(),
        System.getProperty("java.runtime.version", "unknown"));
  }
}
