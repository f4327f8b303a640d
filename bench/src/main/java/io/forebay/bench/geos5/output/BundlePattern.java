// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.bench.netcdf.pattern.Pattern;
import io.forebay.netcdf.bundle.BundleSet;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Variable;
import java.util.ArrayList;
import java.util.List;

/**
 * Bundles without coordinates, written in several steps: a file for each bundle and step, and one
 * request of each rank for each variable, its block of all planes.
 *
 * @param bundles all of one format
 */
public record BundlePattern(int ranks, List<Bundle> bundles, int steps) implements Pattern {
  public BundlePattern {
    bundles = List.copyOf(bundles);
    for (Bundle bundle : bundles) {
      if (!bundle.coordinates().isEmpty()) {
        throw new IllegalArgumentException("bundle '" + bundle.name() + "' has coordinates");
      }
    }
  }

  /** The names of a step's files, with {@link BundleSet#NAME_PLACE} for the bundle. */
  public static String names(int step) {
    return BundleSet.NAME_PLACE + ".%04d.nc".formatted(step + 1);
  }

  /** The name of one file. */
  public static String name(Bundle bundle, int step) {
    return names(step).replace(BundleSet.NAME_PLACE, bundle.name());
  }

  @Override
  public Format format() {
    return bundles.getFirst().format().definitions();
  }

  /** The place of a bundle's file in the list. */
  public int file(int step, int bundle) {
    return step * bundles.size() + bundle;
  }

  @Override
  public List<Shape> files() {
    List<Shape> files = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      for (Bundle bundle : bundles) files.add(shape(bundle, step));
    }
    return files;
  }

  /** What a bundle's file consists of. */
  static Shape shape(Bundle bundle, int step) {
    List<Along> dimensions = new ArrayList<>();
    for (Dimension each : bundle.header().dimensions()) {
      dimensions.add(new Along(each.name(), each.length()));
    }
    List<Held> variables = new ArrayList<>();
    for (Variable each : bundle.header().variables()) {
      variables.add(new Held(each.name(), each.type(), each.dimensions()));
    }
    return new Shape(name(bundle, step), dimensions, variables);
  }

  @Override
  public <E extends Exception> void puts(int file, int rank, Sink<E> sink) throws E {
    Bundle bundle = bundles.get(file % bundles.size());
    Block block = Blocks.even(bundle.grid(), ranks, rank);
    for (PlaneVariable each : bundle.variables()) {
      boolean deep = bundle.header().variables().get(each.index()).dimensions().size() > 2;
      long[] start = {0, block.row(), block.column()};
      long[] count = {each.planes(), block.rows(), block.columns()};
      sink.put(Put.of(each.index(), deep ? start : plane(start), deep ? count : plane(count)));
    }
  }

  private static long[] plane(long[] all) {
    return new long[] {all[1], all[2]};
  }

  /** The number of a request among those of all files. */
  int putNumber(int step, int bundle, int variable) {
    int number = variable;
    for (int i = 0; i < bundle; i++) number += bundles.get(i).variables().size();
    for (Bundle each : bundles) number += step * each.variables().size();
    return number;
  }
}
