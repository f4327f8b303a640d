// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.machine;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** The maximum of direct memory that this process may use for buffers. */
public final class DirectMemory {
  private static final String LIMIT = "MaxDirectMemorySize";

  private DirectMemory() {}

  public static long bytesMax() {
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long told = machine == null ? 0 : Long.parseLong(machine.getVMOption(LIMIT).getValue());
    // Not set: then it equals the maximum heap.
    return told > 0 ? told : Runtime.getRuntime().maxMemory();
  }
}
