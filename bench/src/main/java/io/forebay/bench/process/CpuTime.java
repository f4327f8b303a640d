// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The processor time that this process has used, of all its threads. */
public final class CpuTime {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private CpuTime() {}

  public static long nanos() {
    return SYSTEM.getProcessCpuTime();
  }
}
