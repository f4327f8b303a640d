// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Variable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/** The values of unwritten elements, and of elements whose value does not fit. */
public final class FillValues {
  private FillValues() {}

  /** The variable's own if it has one, else that of its type; one element. */
  public static Values of(Variable variable) {
    Attribute own = variable.attribute(Attribute.FILL_VALUE);
    if (own == null || own.type() != variable.type() || own.count() != 1) {
      return Conversion.fillOf(variable.type());
    }
    MemorySegment memory = MemorySegment.ofArray(own.values().toArray());
    return new Values(memory, own.type(), ByteOrder.BIG_ENDIAN);
  }
}
