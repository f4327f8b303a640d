// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.bench.BenchmarkImpossible;

/** Whether benchmarks of mounts can run here. */
public final class Mountable {
  private Mountable() {}

  /** Skips the test if nothing can be mounted. */
  public static void need() {
    try {
      MountedDirectories.requirePossible();
    } catch (BenchmarkImpossible impossible) {
      assumeTrue(false, impossible.getMessage() + " (dev/optional-packages)");
    }
  }
}
