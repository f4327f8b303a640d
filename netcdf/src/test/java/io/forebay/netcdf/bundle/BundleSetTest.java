// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.Hints;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BundleSetTest {
  private static final Grid GRID = new Grid("lat", 13, "lon", 17);

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "1,1", "2,2", "3,2", "5,8", "8,3",
  })
  void filesAreThoseThatOneRankWrites(int ranks, int ranksPerNode) throws IOException {
    List<Bundle> bundles = BundleModel.bundles();
    List<BundleOptions> ways = new ArrayList<>(List.of(BundleOptions.defaults()));
    for (Scheme scheme : Scheme.values()) {
      BundleOptions plain = BundleOptions.defaults().withScheme(scheme);
      ways.add(plain);
      ways.add(plain.withAggregators(2));
      ways.add(plain.withAggregators(100));
    }
    for (int way = 0; way < ways.size(); way++) {
      BundleOptions options = ways.get(way);
      Path folder = Files.createDirectory(directory.resolve("way-" + way));
      ThreadRanks.run(
          ranks,
          ranksPerNode,
          group -> BundleModel.write(group, bundles, Blocks.even(group), options, folder + "/", 2));
      requireSame(bundles, folder, 2);
    }
  }

  private void requireSame(List<Bundle> bundles, Path folder, int steps) throws IOException {
    for (int step = 0; step < steps; step++) {
      for (int b = 0; b < bundles.size(); b++) {
        Path expected = directory.resolve("expected.nc");
        BundleModel.writeSerially(bundles.get(b), b, step, expected);
        Path actual = folder.resolve(bundles.get(b).name() + "." + step + ".nc");
        assertThat(Files.readAllBytes(actual))
            .as("%s", actual)
            .isEqualTo(Files.readAllBytes(expected));
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(bundles.size() * steps);
    }
  }

  /** One rank has no part, one nearly all, and planes are larger than a rank's memory. */
  @ParameterizedTest
  @EnumSource(Scheme.class)
  void planesLargerThanMemoryAndUnevenBlocks(Scheme scheme) throws IOException {
    Grid wide = new Grid("y", 3, "x", 60_000);
    Grid tall = new Grid("y", 900, "x", 301);
    List<Bundle> bundles =
        List.of(
            Bundle.named("wide", wide).levels("l", 2).variable("v", ElementType.INT, "l").build(),
            Bundle.named("tall", tall).variable("v", ElementType.FLOAT).build());
    BundleOptions options =
        BundleOptions.defaults().withScheme(scheme).withMemory(BundleOptions.MEMORY_BYTES_MIN);
    ThreadRanks.run(
        4,
        2,
        group -> {
          Function<Grid, Block> mine = grid -> uneven(grid, group.rank());
          BundleModel.write(group, bundles, mine, options, directory + "/", 1);
        });
    Path expected = directory.resolve("expected");
    for (int b = 0; b < 2; b++) {
      BundleModel.writeSerially(bundles.get(b), b, 0, expected);
      Path actual = directory.resolve(bundles.get(b).name() + ".0.nc");
      assertThat(Files.mismatch(actual, expected)).as("%s", actual).isEqualTo(-1);
    }
  }

  private static Block uneven(Grid grid, int rank) {
    return switch (rank) {
      case 0 -> new Block(0, 1, 0, 10);
      case 1 -> Block.none();
      case 2 -> new Block(0, 1, 10, grid.columns() - 10);
      default -> new Block(1, grid.rows() - 1, 0, grid.columns());
    };
  }

  @Test
  void moreBundlesThanRanksAreMerged() throws IOException {
    List<Bundle> bundles = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      bundles.add(
          Bundle.named("b" + i, GRID)
              .levels("lev", i + 1)
              .variable("v", ElementType.FLOAT, "lev")
              .build());
    }
    for (Scheme scheme : Scheme.values()) {
      Path folder = Files.createDirectory(directory.resolve(scheme.name()));
      BundleOptions options = BundleOptions.defaults().withScheme(scheme);
      ThreadRanks.run(
          3,
          2,
          group -> BundleModel.write(group, bundles, Blocks.even(group), options, folder + "/", 1));
      requireSame(bundles, folder, 1);
    }
  }

  @Test
  void filesGoThroughTheLoggingDriver() throws IOException {
    List<Bundle> bundles = BundleModel.bundles();
    Path logs = Files.createDirectory(directory.resolve("logs"));
    Path folder = Files.createDirectory(directory.resolve("files"));
    BundleOptions options =
        BundleOptions.defaults()
            .withHints(Hints.parse("burst_buffer=enable;burst_buffer_dir=" + logs));
    ThreadRanks.run(
        5,
        2,
        group -> BundleModel.write(group, bundles, Blocks.even(group), options, folder + "/", 3));
    requireSame(bundles, folder, 3);
    assertThat(logs).isEmptyDirectory();
  }

  @Test
  void valuesThatDoNotFitBecomeFillValuesAndAllRanksAreTold() throws IOException {
    Bundle bundle = Bundle.named("b", GRID).variable("v", ElementType.BYTE).build();
    ConcurrentMap<Integer, String> told = new ConcurrentHashMap<>();
    ThreadRanks.run(
        3,
        group -> {
          Function<Grid, Block> mine = Blocks.even(group);
          int[] values = new int[(int) mine.apply(GRID).elements()];
          if (group.rank() == 1) values[3] = 1000;
          try (BundleSet set =
              BundleSet.create(group, List.of(bundle), mine, BundleOptions.defaults())) {
            set.write(directory + "/b.nc", new StepData().put("b", "v", Values.of(values)));
          } catch (IOException e) {
            told.put(group.rank(), String.valueOf(e.getMessage()));
          }
        });
    assertThat(told).hasSize(3);
    assertThat(told.values())
        .allSatisfy(
            text ->
                assertThat(text)
                    .contains("rank 1", "bundle 'b'", "variable 'v'", "became fill values"));
    assertThat(directory.resolve("b.nc")).exists();
  }
}
