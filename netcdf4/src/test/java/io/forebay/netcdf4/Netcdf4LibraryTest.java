// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.format.NetcdfException;
import org.junit.jupiter.api.Test;

/** Machines without the library: these need none. */
class Netcdf4LibraryTest {
  @Test
  void missingLibraryIsOneSentenceWithTheRemedy() {
    assertThatThrownBy(() -> Netcdf4Library.load("libnetcdf.so.none"))
        .isInstanceOf(NetcdfException.class)
        .hasMessageContaining("libnetcdf.so.none is not installed")
        .hasMessageContaining("apt-get install netcdf-bin");
  }

  @Test
  void otherLibraryIsRefusedByName() {
    assertThatThrownBy(() -> Netcdf4Library.load("libc.so.6"))
        .isInstanceOf(NetcdfException.class)
        .hasMessageContaining("libc.so.6 has no function nc_strerror");
  }
}
