// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;

/** For each planted fault a seed that shows it, from a file beside this class. */
final class PlantedSeeds {
  private static final String FILE = "planted-seeds.properties";

  private PlantedSeeds() {}

  static Map<PlantedBug, Long> read() {
    Properties properties = new Properties();
    try (InputStream in = PlantedSeeds.class.getResourceAsStream(FILE)) {
      if (in == null) throw new IllegalStateException(FILE + " is missing");
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<PlantedBug, Long> seeds = new EnumMap<>(PlantedBug.class);
    for (PlantedBug bug : PlantedBug.values()) {
      String seed = properties.getProperty(bug.label());
      if (seed != null) seeds.put(bug, Long.valueOf(seed));
    }
    return seeds;
  }
}
