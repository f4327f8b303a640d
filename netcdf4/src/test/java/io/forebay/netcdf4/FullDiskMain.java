// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import io.forebay.netcdf.format.NetcdfException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** Writes a file that does not fit, tells how its close ended, and ends as programs do. */
final class FullDiskMain {
  private FullDiskMain() {}

  public static void main(String[] arguments) throws NetcdfException {
    try (Arena arena = Arena.ofConfined()) {
      Netcdf4File file =
          Netcdf4File.create(
              Path.of(arguments[0]),
              FullDiskTest.header(),
              Netcdf4Options.standard().withDeflateLevel(1));
      file.write(
          0,
          new long[2],
          new long[] {FullDiskTest.ROWS, FullDiskTest.COLUMNS},
          FullDiskTest.noise(arena));
      file.close();
    } catch (NetcdfException e) {
      System.out.println("close failed: " + e.getMessage());
    }
  }
}
