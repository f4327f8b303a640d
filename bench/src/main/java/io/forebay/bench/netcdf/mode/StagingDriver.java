// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The file below is on fast storage; when it is closed the first rank has it copied to its
 * destination, and waits for that or not. One rank's thread.
 */
final class StagingDriver extends PassingDriver {
  private final Group group;
  private final FileMover mover;
  private final Path staged;
  private final boolean waits;
  private final Meter meter;

  /**
   * Over a driver that writes the staged file.
   *
   * @param waits whether closing returns only when the copy is done
   */
  StagingDriver(
      Group group, Driver below, FileMover mover, Path staged, boolean waits, Meter meter) {
    super(below);
    this.group = group;
    this.mover = mover;
    this.staged = staged;
    this.waits = waits;
    this.meter = meter;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      // No rank writes to it any more, even if the write failed.
      group.barrier();
    }
    long start = meter.nanos();
    if (group.rank() == 0) {
      mover.begin(staged);
      if (waits) mover.await();
    }
    if (waits) group.barrier();
    meter.addSince(Quantity.FLUSH_NANOS, start);
  }
}
