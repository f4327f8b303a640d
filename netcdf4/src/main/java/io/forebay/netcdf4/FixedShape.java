// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Names;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.List;

/**
 * A header as these files have it: its unlimited dimension has the fixed length of the record
 * count, since HDF5 stores variables with an unlimited dimension in chunks. With no records the
 * dimension stays unlimited, and its variables have no elements: netCDF knows no other dimension of
 * length 0.
 */
final class FixedShape {
  private final Header header;

  private FixedShape(Header header) {
    this.header = header;
  }

  /**
   * Checks names and sizes.
   *
   * @throws NetcdfException if netCDF does not allow a name, or a variable exceeds 2^63 bytes
   */
  static FixedShape of(Header header) throws NetcdfException {
    List<Dimension> dimensions = new ArrayList<>();
    for (Dimension dimension : header.dimensions()) {
      long length = dimension.isUnlimited() ? header.recordCount() : dimension.length();
      dimensions.add(new Dimension(Names.checked(dimension.name()), length));
    }
    List<Variable> variables = new ArrayList<>();
    for (Variable variable : header.variables()) {
      variables.add(
          variable
              .withName(Names.checked(variable.name()))
              .withAttributes(checked(variable.attributes())));
    }
    Header fixed =
        new Header(header.format(), 0, dimensions, checked(header.attributes()), variables);
    for (Variable variable : variables) requireSize(fixed, variable);
    return new FixedShape(fixed);
  }

  private static List<Attribute> checked(List<Attribute> attributes) throws NetcdfException {
    List<Attribute> checked = new ArrayList<>();
    for (Attribute attribute : attributes) {
      checked.add(
          new Attribute(Names.checked(attribute.name()), attribute.type(), attribute.values()));
    }
    return checked;
  }

  private static void requireSize(Header header, Variable variable) throws NetcdfException {
    try {
      header.dataBytes(variable);
    } catch (ArithmeticException e) {
      throw new NetcdfException(
          NetcdfError.TOO_LARGE, "variable '" + variable.name() + "' exceeds 2^63 bytes", e);
    }
  }

  List<Dimension> dimensions() {
    return header.dimensions();
  }

  List<Attribute> attributes() {
    return header.attributes();
  }

  List<Variable> variables() {
    return header.variables();
  }

  long elements(Variable variable) {
    for (int i = 0; i < variable.dimensions().size(); i++) {
      if (length(variable, i) == 0) return 0;
    }
    return header.elements(variable);
  }

  /** The length along one of a variable's dimensions. */
  long length(Variable variable, int place) {
    return header.dimensions().get(variable.dimensions().get(place)).length();
  }

  /** Whether a dimension has the variable's name, and the variable does not begin with it. */
  boolean isNamedLikeAnotherDimension(Variable variable) {
    int dimension = header.dimensionNamed(variable.name());
    if (dimension < 0) return false;
    List<Integer> dimensions = variable.dimensions();
    return dimensions.isEmpty() || dimensions.getFirst() != dimension;
  }
}
