// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver;

import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;

/**
 * Puts further drivers on top of the one that writes a file, for benchmarks that try alternatives
 * to a log. Any thread.
 */
@FunctionalInterface
public interface DriverStack {
  /**
   * The driver that is used; called by every rank for a file that it writes.
   *
   * @param file this rank's handle, which the driver below closes
   * @param direct the driver below
   * @param header the file's header; empty definitions if it is new
   * @param meter where its work is counted, for the file's statistics
   */
  Driver over(SharedFile file, Driver direct, Header header, Meter meter) throws IOException;

  /** Nothing on top. */
  static DriverStack none() {
    return (file, direct, header, meter) -> direct;
  }
}
