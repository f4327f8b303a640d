// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.DimensionId;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Coordinate;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Group;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Elements whose values follow from their place, and the files that one rank makes of them. */
final class BundleModel {
  private static final Grid GRID = new Grid("lat", 13, "lon", 17);

  private BundleModel() {}

  /** Three bundles of different sizes, with elements of all sizes, in all classic formats. */
  static List<Bundle> bundles() {
    float[] latitudes = new float[13];
    for (int i = 0; i < latitudes.length; i++) latitudes[i] = -90 + 15 * i;
    Bundle moist =
        Bundle.named("moist", GRID)
            .attribute(Attribute.text("title", "moisture"))
            .levels("lev", 9)
            .coordinate("lat", Values.of(latitudes), Attribute.text("units", "degrees_north"))
            .variable("q", ElementType.FLOAT, "lev", Attribute.text("units", "kg/kg"))
            .variable("ps", ElementType.DOUBLE)
            .variable("flags", ElementType.BYTE)
            .variable("t", ElementType.SHORT, "lev")
            .build();
    Bundle turb =
        Bundle.named("turb", GRID)
            .format(BundleFormat.CDF2)
            .levels("lev", 3)
            .variable("kh", ElementType.FLOAT, "lev")
            .build();
    Bundle surf =
        Bundle.named("surf", new Grid("y", 5, "x", 6))
            .format(BundleFormat.CDF1)
            .variable("ts", ElementType.INT)
            .build();
    return List.of(moist, turb, surf);
  }

  /** Writes some steps, to files whose names begin like this. */
  static void write(
      Group group,
      List<Bundle> bundles,
      Function<Grid, Block> mine,
      BundleOptions options,
      String names,
      int steps)
      throws IOException {
    try (BundleSet set = BundleSet.create(group, bundles, mine, options)) {
      for (int step = 0; step < steps; step++) {
        StepReport report =
            set.write(names + "{bundle}." + step + ".nc", data(bundles, mine, step));
        assertThat(report.memoryBytes()).isBetween(1L, options.memoryBytes());
      }
    }
  }

  /** A value that is the same for no two neighbours, and fits every type of numbers. */
  static int value(int step, int bundle, int variable, long element) {
    return (int) ((element * 31 + variable * 7L + bundle * 3L + step) % 127);
  }

  /** What a rank writes. */
  static StepData data(List<Bundle> bundles, Function<Grid, Block> mine, int step) {
    StepData data = new StepData();
    for (int b = 0; b < bundles.size(); b++) {
      Bundle bundle = bundles.get(b);
      Block block = mine.apply(bundle.grid());
      for (int v = 0; v < bundle.variables().size(); v++) {
        PlaneVariable variable = bundle.variables().get(v);
        int[] values = new int[(int) (block.elements() * variable.planes())];
        int at = 0;
        for (long level = 0; level < variable.planes(); level++) {
          for (long row = block.row(); row < block.row() + block.rows(); row++) {
            for (long c = block.column(); c < block.column() + block.columns(); c++) {
              long element = level * bundle.grid().elements() + row * bundle.grid().columns() + c;
              values[at++] = value(step, b, v, element);
            }
          }
        }
        data.put(bundle.name(), variable.name(), Values.of(values));
      }
    }
    return data;
  }

  /** Writes a bundle's file by one rank alone. */
  static void writeSerially(Bundle bundle, int number, int step, Path path) throws IOException {
    NetcdfFile file =
        NetcdfFile.create(
            Ranks.alone(),
            path.toString(),
            bundle.header().format(),
            CreateMode.REPLACE,
            Hints.none());
    for (Dimension dimension : bundle.header().dimensions()) {
      file.defineDimension(dimension.name(), dimension.length());
    }
    for (Attribute attribute : bundle.header().attributes()) file.putAttribute(attribute);
    for (Variable variable : bundle.header().variables()) {
      VariableId id =
          file.defineVariable(
              variable.name(),
              variable.type(),
              variable.dimensions().stream().map(DimensionId::new).toArray(DimensionId[]::new));
      for (Attribute attribute : variable.attributes()) file.putAttribute(id, attribute);
    }
    file.endDefine();
    for (Coordinate coordinate : bundle.coordinates()) {
      file.put(new VariableId(coordinate.index()), Selection.all(), coordinate.values());
    }
    for (int v = 0; v < bundle.variables().size(); v++) {
      PlaneVariable variable = bundle.variables().get(v);
      int[] values = new int[(int) (bundle.grid().elements() * variable.planes())];
      for (int i = 0; i < values.length; i++) values[i] = value(step, number, v, i);
      file.put(new VariableId(variable.index()), Selection.all(), Values.of(values));
    }
    file.close();
  }
}
