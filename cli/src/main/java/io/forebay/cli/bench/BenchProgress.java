// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.bench.Benchmark;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** A line on stderr for each measurement, since a run takes minutes. */
final class BenchProgress implements Benchmark.Progress {
  private final PrintWriter err;
  private final long startNanos = System.nanoTime();

  BenchProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void measuring(String what) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    err.println("%4d s  measuring %s".formatted(seconds, what));
    err.flush();
  }
}
