// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4.bundle;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies values to memory off the heap, in this machine's byte order. */
final class NativeValues {
  private NativeValues() {}

  static MemorySegment of(Values values) {
    MemorySegment memory = Arena.ofAuto().allocate(values.memory().byteSize(), Long.BYTES);
    Conversion.copy(values, Values.of(memory, values.type()));
    return memory;
  }
}
