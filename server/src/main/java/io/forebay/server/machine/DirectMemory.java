// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.machine;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** How much memory outside the heap this process may take for buffers. */
public final class DirectMemory {
  private static final String LIMIT = "MaxDirectMemorySize";

  private DirectMemory() {}

  public static long bytesMax() {
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long told = machine == null ? 0 : Long.parseLong(machine.getVMOption(LIMIT).getValue());
    // Nobody has set it: then it is as large as the heap may be.
    return told > 0 ? told : Runtime.getRuntime().maxMemory();
  }
}
