// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Mapping;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a request against the definitions and converts it for drivers. Drivers do not check again.
 */
final class RequestCheck {
  /** A valid request; mapped memory is brought into its order and back. */
  record Checked(Transfer transfer, Runnable afterRead) {
    Checked(Transfer transfer) {
      this(transfer, () -> {});
    }
  }

  private final Header header;
  private final long recordCount;
  private final boolean write;

  /**
   * Checks against these definitions.
   *
   * @param write whether records may be new
   */
  RequestCheck(Header header, long recordCount, boolean write) {
    this.header = header;
    this.recordCount = recordCount;
    this.write = write;
  }

  Checked check(VariableId id, Selection selection, Values values) throws NetcdfException {
    Variable variable = find(id);
    Conversion.check(values.type(), variable.type());
    if (!write && values.memory().isReadOnly()) {
      throw new NetcdfException(NetcdfError.WRONG_LENGTH, "memory to read into is read-only");
    }
    try {
      return switch (selection) {
        case Selection.All all -> whole(id, variable, values);
        case Selection.Parts parts -> parts(id, variable, parts.parts(), values);
        case Selection.Mapped mapped -> mapped(id, variable, mapped, values);
      };
    } catch (ArithmeticException e) {
      throw new NetcdfException(
          NetcdfError.OUT_OF_BOUNDS,
          "variable '" + variable.name() + "': the sizes are too large for any file",
          e);
    }
  }

  /** Memory for all selected elements, of the variable's own type. */
  Values room(VariableId id, Selection selection) throws NetcdfException {
    Variable variable = find(id);
    try {
      long elements =
          switch (selection) {
            case Selection.All all ->
                Math.multiplyExact(
                    header.elements(variable), header.isRecord(variable) ? recordCount : 1);
            case Selection.Parts parts -> elements(variable, parts.parts());
            case Selection.Mapped mapped -> {
              checkInside(variable, mapped.part());
              yield mapped.mapping().span(mapped.part());
            }
          };
      return Values.allocate(variable.type(), elements);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw new NetcdfException(
          NetcdfError.OUT_OF_BOUNDS,
          "variable '" + variable.name() + "': more elements than memory can have; read parts",
          e);
    }
  }

  private long elements(Variable variable, List<Subarray> parts) throws NetcdfException {
    long elements = 0;
    for (Subarray part : parts) {
      checkInside(variable, part);
      elements = Math.addExact(elements, part.elements());
    }
    return elements;
  }

  private Variable find(VariableId id) throws NetcdfException {
    if (id.index() < 0 || id.index() >= header.variables().size()) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no variable " + id);
    }
    return header.variables().get(id.index());
  }

  private Checked whole(VariableId id, Variable variable, Values values) throws NetcdfException {
    int dimensions = variable.dimensions().size();
    long[] count = new long[dimensions];
    for (int d = 0; d < dimensions; d++) count[d] = header.length(variable, d);
    if (header.isRecord(variable)) {
      long perRecord = header.elements(variable);
      count[0] = write && perRecord > 0 ? values.count() / perRecord : recordCount;
    }
    return parts(id, variable, List.of(Subarray.of(new long[dimensions], count)), values);
  }

  private Checked parts(VariableId id, Variable variable, List<Subarray> parts, Values values)
      throws NetcdfException {
    long elements = 0;
    List<Subarray> kept = new ArrayList<>();
    for (Subarray part : parts) {
      checkInside(variable, part);
      elements = Math.addExact(elements, part.elements());
      if (part.elements() > 0) kept.add(part);
    }
    requireElements(variable, elements, values.count());
    return new Checked(Transfer.now(id.index(), kept, values));
  }

  private Checked mapped(VariableId id, Variable variable, Selection.Mapped mapped, Values values)
      throws NetcdfException {
    Subarray part = mapped.part();
    Mapping mapping = mapped.mapping();
    checkInside(variable, part);
    if (mapping.dimensions() != part.dimensions()) {
      throw outside(variable, mapping.dimensions() + " distances for " + part);
    }
    if (mapping.span(part) > values.count()) {
      throw new NetcdfException(
          NetcdfError.WRONG_LENGTH,
          "variable '%s': the elements are spread over %d places, memory has %d"
              .formatted(variable.name(), mapping.span(part), values.count()));
    }
    if (part.elements() == 0) return parts(id, variable, List.of(), values.slice(0, 0));
    Values packed = write ? mapping.packed(values, part) : mapping.room(values, part);
    Transfer transfer = Transfer.now(id.index(), List.of(part), packed);
    if (write) return new Checked(transfer);
    return new Checked(transfer, () -> mapping.scatter(packed, values, part));
  }

  private void checkInside(Variable variable, Subarray part) throws NetcdfException {
    if (part.dimensions() != variable.dimensions().size()) {
      throw outside(
          variable,
          "%d dimensions where there are %d"
              .formatted(part.dimensions(), variable.dimensions().size()));
    }
    for (int d = 0; d < part.dimensions(); d++) {
      if (part.start(d) < 0) throw outside(variable, "the start along " + d + " is negative");
      if (part.count(d) < 0) throw outside(variable, "the count along " + d + " is negative");
      if (part.stride(d) < 1) throw outside(variable, "the stride along " + d + " is below 1");
      long length = lengthAllowed(variable, d);
      if (part.start(d) > length || (part.count(d) > 0 && part.last(d) >= length)) {
        throw outside(variable, part + " where dimension " + d + " has " + length);
      }
    }
    if (header.isRecord(variable) && part.elements() > 0) {
      // Throws if no file can be that long.
      Layout.of(header).offset(variable, part.last(0) + 2);
    }
  }

  private long lengthAllowed(Variable variable, int place) {
    Dimension dimension = header.dimensions().get(variable.dimensions().get(place));
    if (!dimension.isUnlimited()) return dimension.length();
    return write ? header.format().recordsMax() : recordCount;
  }

  private static void requireElements(Variable variable, long elements, long inMemory)
      throws NetcdfException {
    if (elements != inMemory) {
      throw new NetcdfException(
          NetcdfError.WRONG_LENGTH,
          "variable '%s': %d elements, memory has %d"
              .formatted(variable.name(), elements, inMemory));
    }
  }

  private static NetcdfException outside(Variable variable, String what) {
    return new NetcdfException(
        NetcdfError.OUT_OF_BOUNDS, "variable '%s': %s".formatted(variable.name(), what));
  }

  /** How many records there are once this is written. */
  long recordsAfter(Transfer transfer) {
    long records = recordCount;
    if (!header.isRecord(header.variables().get(transfer.variable()))) return records;
    for (Subarray part : transfer.parts()) records = Math.max(records, part.last(0) + 1);
    return records;
  }
}
