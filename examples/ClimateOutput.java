// SPDX-License-Identifier: Apache-2.0

import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.BundleSet;
import io.forebay.netcdf.bundle.StepData;
import io.forebay.netcdf.bundle.StepReport;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.ElementType;
import io.forebay.parallel.Group;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.util.List;

/**
 * A model of the atmosphere that writes two bundles in each output step: "moist" with a 3-D and a
 * 2-D variable, and "surface" with a 2-D variable. Copy it and put your own fields in.
 *
 * <p>Run it with the jars of forebay-netcdf on the class path, as threads:
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp 'JARS' examples/ClimateOutput.java out</pre>
 *
 * or as processes of MPI: {@code mpirun -n 8 java ... out}.
 */
public final class ClimateOutput {
  private static final int THREADS = 8;
  private static final int STEPS = 3;
  private static final int LEVELS = 20;
  private static final Grid GRID = new Grid("lat", 91, "lon", 144);

  private ClimateOutput() {}

  /** Argument: the directory or forebay:// address of the files. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("ClimateOutput: name the directory or forebay:// address of the files.");
      System.exit(2);
    }
    String directory = arguments[0];
    Ranks.run(THREADS, 0, group -> simulate(group, directory));
  }

  private static void simulate(Group group, String directory) throws IOException {
    Bundle moist =
        Bundle.named("moist", GRID)
            .attribute(Attribute.text("title", "moisture"))
            .levels("lev", LEVELS)
            .coordinate("lat", Values.of(latitudes()), Attribute.text("units", "degrees_north"))
            .variable("q", ElementType.FLOAT, "lev", Attribute.text("units", "kg kg-1"))
            .variable("precipitation", ElementType.FLOAT, Attribute.text("units", "mm h-1"))
            .build();
    Bundle surface =
        Bundle.named("surface", GRID)
            .variable("temperature", ElementType.FLOAT, Attribute.text("units", "K"))
            .build();

    // This rank's part of every plane.
    Block mine = Blocks.even(GRID, group.size(), group.rank());
    int elements = (int) mine.elements();
    float[] humidity = new float[LEVELS * elements];
    float[] rain = new float[elements];
    float[] temperature = new float[elements];

    BundleOptions options = BundleOptions.defaults();
    try (BundleSet output =
        BundleSet.create(group, List.of(moist, surface), Blocks.even(group), options)) {
      for (int step = 0; step < STEPS; step++) {
        compute(step, mine, humidity, rain, temperature);
        StepData data =
            new StepData()
                .put("moist", "q", Values.of(humidity))
                .put("moist", "precipitation", Values.of(rain))
                .put("surface", "temperature", Values.of(temperature));
        StepReport report = output.write(directory + "/{bundle}-" + step + ".nc", data);
        // What the step took, and what was predicted of each scheme.
        if (group.rank() == 0) System.out.println("step " + step + ": " + report);
      }
    }
  }

  private static float[] latitudes() {
    float[] latitudes = new float[(int) GRID.rows()];
    for (int i = 0; i < latitudes.length; i++) latitudes[i] = -90 + 2 * i;
    return latitudes;
  }

  /** Stands for the model. Elements are in the order level, row, column. */
  private static void compute(
      int step, Block mine, float[] humidity, float[] rain, float[] temperature) {
    int at = 0;
    for (int level = 0; level < LEVELS; level++) {
      for (long row = mine.row(); row < mine.row() + mine.rows(); row++) {
        for (long column = mine.column(); column < mine.column() + mine.columns(); column++) {
          humidity[at++] = (float) Math.exp(-0.2 * level) * (1 + row + column + step);
        }
      }
    }
    for (int i = 0; i < rain.length; i++) {
      rain[i] = step;
      temperature[i] = 288 + step;
    }
  }
}
