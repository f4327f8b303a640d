// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** How long the compilers of this JVM have worked so far. */
public final class CompileTime {
  private static final @Nullable CompilationMXBean COMPILERS =
      ManagementFactory.getCompilationMXBean();

  private CompileTime() {}

  /** 0 if this JVM only interprets. */
  public static long millis() {
    return COMPILERS == null ? 0 : COMPILERS.getTotalCompilationTime();
  }
}
