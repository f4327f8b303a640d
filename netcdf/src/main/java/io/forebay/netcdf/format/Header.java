// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.util.List;

/**
 * The header of a file. Numbers of dimensions and variables are their indexes in the lists.
 *
 * @param recordCount the length of the unlimited dimension
 */
public record Header(
    Format format,
    long recordCount,
    List<Dimension> dimensions,
    List<Attribute> attributes,
    List<Variable> variables) {
  public Header {
    dimensions = List.copyOf(dimensions);
    attributes = List.copyOf(attributes);
    variables = List.copyOf(variables);
  }

  public static Header empty(Format format) {
    return new Header(format, 0, List.of(), List.of(), List.of());
  }

  public Header withRecordCount(long newCount) {
    return new Header(format, newCount, dimensions, attributes, variables);
  }

  public Header withVariables(List<Variable> newVariables) {
    return new Header(format, recordCount, dimensions, attributes, newVariables);
  }

  /** Whether the variable's first dimension is the unlimited one. */
  public boolean isRecord(Variable variable) {
    return !variable.dimensions().isEmpty()
        && dimensions.get(variable.dimensions().getFirst()).isUnlimited();
  }

  /** How many elements a variable has; one record's worth if it grows with the records. */
  public long elements(Variable variable) {
    long elements = 1;
    for (int dimension : variable.dimensions()) {
      if (!dimensions.get(dimension).isUnlimited()) {
        elements = Math.multiplyExact(elements, dimensions.get(dimension).length());
      }
    }
    return elements;
  }

  /** The bytes of {@link #elements}, without padding. */
  public long dataBytes(Variable variable) {
    return Math.multiplyExact(elements(variable), variable.type().sizeBytes());
  }

  /** The current length along one of a variable's dimensions. */
  public long length(Variable variable, int place) {
    Dimension dimension = dimensions.get(variable.dimensions().get(place));
    return dimension.isUnlimited() ? recordCount : dimension.length();
  }

  /** The place of a dimension with that name; -1 if there is none. */
  public int dimensionNamed(String name) {
    for (int i = 0; i < dimensions.size(); i++) {
      if (dimensions.get(i).name().equals(name)) return i;
    }
    return -1;
  }

  /** The place of a variable with that name; -1 if there is none. */
  public int variableNamed(String name) {
    for (int i = 0; i < variables.size(); i++) {
      if (variables.get(i).name().equals(name)) return i;
    }
    return -1;
  }
}
