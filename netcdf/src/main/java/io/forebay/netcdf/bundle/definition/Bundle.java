// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The definition of one bundle: a file with 2-D variables of one plane and 3-D variables of one
 * plane per level. All ranks make the same definitions.
 *
 * @param header its dimensions, attributes and variables, in the order in which they were added
 * @param deflate the level of compression, 0 for none; only netCDF-4 files can be compressed
 */
public record Bundle(
    String name,
    BundleFormat format,
    Grid grid,
    Header header,
    List<PlaneVariable> variables,
    List<Coordinate> coordinates,
    int deflate) {
  /** The highest level of compression. */
  public static final int DEFLATE_MAX = 9;

  public Bundle {
    variables = List.copyOf(variables);
    coordinates = List.copyOf(coordinates);
    if (name.isBlank()) throw new IllegalArgumentException("a bundle has no name");
    if (variables.isEmpty()) {
      throw new IllegalArgumentException("bundle '" + name + "' has no planes: add a variable");
    }
  }

  /** Begins the definition of a bundle in CDF-5. */
  public static Builder named(String name, Grid grid) {
    return new Builder(name, grid);
  }

  /** How many bytes its planes have. */
  public long planeBytes() {
    long bytes = 0;
    for (PlaneVariable variable : variables) {
      long plane = Math.multiplyExact(grid.elements(), (long) variable.type().sizeBytes());
      bytes = Math.addExact(bytes, Math.multiplyExact(plane, variable.planes()));
    }
    return bytes;
  }

  /** The place of a variable among those of planes; -1 if there is none of that name. */
  public int variableNamed(String wanted) {
    for (int i = 0; i < variables.size(); i++) {
      if (variables.get(i).name().equals(wanted)) return i;
    }
    return -1;
  }

  /** Collects what a bundle has. Names must differ; the file keeps the order of calls. */
  public static final class Builder {
    private final String name;
    private final Grid grid;
    private final List<Dimension> dimensions = new ArrayList<>();
    private final List<Attribute> attributes = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();
    private final List<PlaneVariable> planes = new ArrayList<>();
    private final List<Coordinate> coordinates = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private BundleFormat format = BundleFormat.CDF5;
    private int deflate;

    private Builder(String name, Grid grid) {
      this.name = name;
      this.grid = grid;
      dimensions.add(new Dimension(grid.rowName(), grid.rows()));
      dimensions.add(new Dimension(grid.columnName(), grid.columns()));
      if (grid.rowName().equals(grid.columnName())) {
        throw new IllegalArgumentException(
            "bundle '%s': both dimensions of its grid are named '%s'"
                .formatted(name, grid.rowName()));
      }
    }

    public Builder format(BundleFormat wanted) {
      format = wanted;
      return this;
    }

    /** Compresses a netCDF-4 file; one rank of the bundle's group then writes alone. */
    public Builder deflate(int level) {
      if (level < 0 || level > DEFLATE_MAX) {
        throw new IllegalArgumentException(
            "bundle '%s': deflate %d is not 0 to %d".formatted(name, level, DEFLATE_MAX));
      }
      deflate = level;
      return this;
    }

    /** Puts an attribute on the file, in place of an earlier one of that name. */
    public Builder attribute(Attribute attribute) {
      attributes.add(attribute);
      return this;
    }

    /** Adds the dimension of levels that 3-D variables name. */
    public Builder levels(String dimension, long length) {
      if (length <= 0) throw problem(dimension, "has " + length + " levels; it needs one at least");
      for (Dimension known : dimensions) {
        if (known.name().equals(dimension)) throw problem(dimension, "is defined twice");
      }
      dimensions.add(new Dimension(dimension, length));
      return this;
    }

    /**
     * Adds a variable with the values of a dimension, which the group's root writes.
     *
     * @param dimension the grid's or one of levels; also the variable's name
     */
    public Builder coordinate(String dimension, Values values, Attribute... noted) {
      int along = dimensionNamed(dimension);
      long length = dimensions.get(along).length();
      if (values.count() != length) {
        throw problem(
            dimension, "has %d values for a length of %d".formatted(values.count(), length));
      }
      coordinates.add(new Coordinate(dimension, variables.size(), values));
      add(dimension, values.type(), List.of(along), noted);
      return this;
    }

    /** Adds a 2-D variable: one plane. */
    public Builder variable(String variable, ElementType type, Attribute... noted) {
      planes.add(new PlaneVariable(variable, type, variables.size(), 1));
      add(variable, type, List.of(0, 1), noted);
      return this;
    }

    /** Adds a 3-D variable: one plane for each of these levels. */
    public Builder variable(String variable, ElementType type, String levels, Attribute... noted) {
      int along = dimensionNamed(levels);
      if (along < 2)
        throw problem(variable, "has '" + levels + "' as levels, which is of the grid");
      planes.add(
          new PlaneVariable(variable, type, variables.size(), dimensions.get(along).length()));
      add(variable, type, List.of(along, 0, 1), noted);
      return this;
    }

    private int dimensionNamed(String wanted) {
      for (int i = 0; i < dimensions.size(); i++) {
        if (dimensions.get(i).name().equals(wanted)) return i;
      }
      throw problem(wanted, "is no dimension; define it with levels first");
    }

    private void add(String variable, ElementType type, List<Integer> along, Attribute... noted) {
      if (!names.add(variable)) throw problem(variable, "is defined twice");
      variables.add(new Variable(variable, type, along, List.of(noted), Variable.NOWHERE));
    }

    private IllegalArgumentException problem(String what, String why) {
      return new IllegalArgumentException("bundle '%s': '%s' %s".formatted(name, what, why));
    }

    /**
     * The definition; throws if it has no planes, if files of its format cannot have it, or if it
     * is compressed without being netCDF-4.
     */
    public Bundle build() {
      if (deflate > 0 && format != BundleFormat.NETCDF4) {
        throw new IllegalArgumentException(
            "bundle '%s': %s files cannot be compressed; use NETCDF4".formatted(name, format));
      }
      Header header =
          new HeaderRules(name, format.definitions()).checked(dimensions, attributes, variables);
      return new Bundle(name, format, grid, header, planes, coordinates, deflate);
    }
  }
}
