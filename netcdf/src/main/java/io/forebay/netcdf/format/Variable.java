// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A variable: an array of elements along some dimensions.
 *
 * @param dimensions their numbers, the slowest first; none for a single value
 * @param begin the offset of its data in the file; {@link #NOWHERE} before it has one
 */
public record Variable(
    String name,
    ElementType type,
    List<Integer> dimensions,
    List<Attribute> attributes,
    long begin) {
  public static final long NOWHERE = -1;

  public Variable {
    dimensions = List.copyOf(dimensions);
    attributes = List.copyOf(attributes);
  }

  public Variable withBegin(long newBegin) {
    return new Variable(name, type, dimensions, attributes, newBegin);
  }

  public Variable withAttributes(List<Attribute> newAttributes) {
    return new Variable(name, type, dimensions, newAttributes, begin);
  }

  public Variable withName(String newName) {
    return new Variable(newName, type, dimensions, attributes, begin);
  }

  public @Nullable Attribute attribute(String wanted) {
    for (Attribute attribute : attributes) {
      if (attribute.name().equals(wanted)) return attribute;
    }
    return null;
  }
}
