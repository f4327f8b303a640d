// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.driver.DriverStack;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * Creates and opens files on a given storage, for callers that wrap it, such as tests and
 * benchmarks; {@link NetcdfFile#create} and {@link NetcdfFile#open} do the same on the default
 * storage.
 *
 * @param storage opens the netCDF files; logs are not on it
 * @param clock the clock of {@link NetcdfFile#statistics}
 * @param stack adds drivers for files that are written without a log
 */
public record NetcdfFiles(Storage storage, MonotonicClock clock, DriverStack stack) {
  public NetcdfFiles(Storage storage, MonotonicClock clock) {
    this(storage, clock, DriverStack.none());
  }

  /** Files of this machine and of Forebay, measured by this machine's clock. */
  public static NetcdfFiles standard() {
    return new NetcdfFiles(Storage.standard(), MonotonicClock.system());
  }

  /** Runs background work on a thread that ends with it. */
  Executor background() {
    return task -> Thread.ofPlatform().daemon().name("netcdf-flush").start(task);
  }

  /** Creates a file; collective. The environment may add settings, see {@link Hints}. */
  public NetcdfFile create(Group group, String name, Format format, CreateMode mode, Hints hints)
      throws IOException {
    return new FileOpening(group, name, hints.with(System.getenv()), this).create(format, mode);
  }

  /** Opens a file; collective. */
  public NetcdfFile open(Group group, String name, OpenMode mode, Hints hints) throws IOException {
    return new FileOpening(group, name, hints.with(System.getenv()), this).open(mode);
  }
}
