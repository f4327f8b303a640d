// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with definitions and data is told on all ranks, in one sentence. */
@Timeout(60)
class BundleInputTest {
  private static final Grid GRID = new Grid("lat", 6, "lon", 8);
  private static final int RANKS = 4;

  @TempDir private Path directory;

  private interface Program {
    void run(Group group) throws IOException;
  }

  /** What all ranks are told, which is the same. */
  private static String told(Program program) throws IOException {
    ConcurrentMap<Integer, String> told = new ConcurrentHashMap<>();
    ThreadRanks.run(
        RANKS,
        group -> {
          try {
            program.run(group);
          } catch (IOException e) {
            told.put(group.rank(), String.valueOf(e.getMessage()));
          }
        });
    assertThat(told).hasSize(RANKS);
    assertThat(told.values().stream().distinct()).hasSize(1);
    return told.getOrDefault(0, "");
  }

  private static Bundle bundle(ElementType type) {
    return Bundle.named("b", GRID).levels("lev", 2).variable("v", type, "lev").build();
  }

  private static void create(Group group, Bundle bundle, Block block) throws IOException {
    BundleSet.create(group, List.of(bundle), grid -> block, BundleOptions.defaults()).close();
  }

  @Test
  void overlappingMissingAndOutlyingBlocks() throws IOException {
    Bundle bundle = bundle(ElementType.FLOAT);
    assertThat(told(group -> create(group, bundle, new Block(group.rank(), 2, 0, 8))))
        .contains(
            "bundle 'b', variable 'v'", "ranks 0 and 1 both have rows 1 to 1, columns 0 to 7");
    assertThat(told(group -> create(group, bundle, new Block(group.rank(), 1, 0, 8))))
        .contains("bundle 'b', variable 'v'", "no rank has row 4, column 0");
    assertThat(told(group -> create(group, bundle, new Block(2L * group.rank(), 2, 0, 8))))
        .contains("rank 3 has rows 6 to 7", "outside of 6 rows and 8 columns");
  }

  @Test
  void definitionsThatDifferByRank() throws IOException {
    assertThat(
            told(
                group -> {
                  ElementType type = group.rank() == 2 ? ElementType.DOUBLE : ElementType.FLOAT;
                  create(group, bundle(type), Blocks.even(GRID, RANKS, group.rank()));
                }))
        .contains("rank 2", "bundle 'b', variable 'v': DOUBLE", "rank 0 defines", "FLOAT");
  }

  @Test
  void moreBundlesThanRanksWithoutMerging() throws IOException {
    List<Bundle> bundles =
        List.of("a", "b", "c", "d", "e").stream()
            .map(name -> Bundle.named(name, GRID).variable("v", ElementType.INT).build())
            .toList();
    assertThat(
            told(
                group ->
                    BundleSet.create(
                        group,
                        bundles,
                        Blocks.even(group),
                        BundleOptions.defaults().withMerging(false))))
        .contains("5 bundles for 4 ranks; allow merging, or use more ranks");
  }

  @Test
  void dataThatIsMissingTooShortOrOfNoVariable() throws IOException {
    Bundle bundle = bundle(ElementType.FLOAT);
    assertThat(told(group -> write(group, bundle, new StepData())))
        .contains("rank 0: bundle 'b', variable 'v': has no values");
    assertThat(
            told(
                group -> {
                  int count = group.rank() == 1 ? 23 : 24;
                  write(group, bundle, data("v", Values.of(new float[count])));
                }))
        .contains("rank 1: bundle 'b', variable 'v': has 23 values for 2 planes of rows 0 to 2");
    assertThat(told(group -> write(group, bundle, data("w", Values.of(new float[24])))))
        .contains("bundle 'b' has no variable 'w' of planes");
    assertThat(told(group -> write(group, bundle, data("v", Values.text(new byte[24])))))
        .contains("bundle 'b', variable 'v': ", "CHAR in memory");
    assertThat(directory).isEmptyDirectory();
  }

  private static StepData data(String variable, Values values) {
    return new StepData().put("b", variable, values);
  }

  private void write(Group group, Bundle bundle, StepData data) throws IOException {
    try (BundleSet set =
        BundleSet.create(group, List.of(bundle), Blocks.even(group), BundleOptions.defaults())) {
      set.write(directory + "/b.nc", data);
    }
  }

  @Test
  void oneNameForSeveralBundlesAndDifferentNames() throws IOException {
    List<Bundle> bundles = BundleModel.bundles();
    assertThat(told(group -> write(group, bundles, directory + "/all.nc")))
        .contains("is one name for 3 bundles; write {bundle} where the bundle's name goes");
    assertThat(
            told(group -> write(group, bundles, directory + "/" + group.rank() / 2 + "{bundle}")))
        .contains("ranks give different names");
  }

  private static void write(Group group, List<Bundle> bundles, String names) throws IOException {
    try (BundleSet set =
        BundleSet.create(group, bundles, Blocks.even(group), BundleOptions.defaults())) {
      set.write(names, BundleModel.data(bundles, Blocks.even(group), 0));
    }
  }

  @Test
  void definitionsThatCannotBe() {
    assertThatThrownBy(() -> Bundle.named("b", GRID).build())
        .hasMessage("bundle 'b' has no planes: add a variable");
    assertThatThrownBy(() -> Bundle.named("b", GRID).variable("v", ElementType.INT, "lev"))
        .hasMessage("bundle 'b': 'lev' is no dimension; define it with levels first");
    assertThatThrownBy(() -> Bundle.named("b", GRID).levels("lev", 0))
        .hasMessage("bundle 'b': 'lev' has 0 levels; it needs one at least");
    assertThatThrownBy(
            () ->
                Bundle.named("b", GRID)
                    .variable("v", ElementType.INT)
                    .variable("v", ElementType.INT))
        .hasMessage("bundle 'b': 'v' is defined twice");
    assertThatThrownBy(() -> Bundle.named("b", GRID).coordinate("lat", Values.of(new float[5])))
        .hasMessage("bundle 'b': 'lat' has 5 values for a length of 6");
    assertThatThrownBy(
            () -> Bundle.named("b", GRID).variable("v", ElementType.INT).deflate(3).build())
        .hasMessage("bundle 'b': CDF5 files cannot be compressed; use NETCDF4");
    assertThatThrownBy(() -> BundleOptions.defaults().withMemory(1000))
        .hasMessageContaining("memory of 1000 B for bundles; 1 MiB is the least");
  }

  @Test
  void netcdf4WithoutItsModule() throws IOException {
    Bundle bundle =
        Bundle.named("b", GRID).format(BundleFormat.NETCDF4).variable("v", ElementType.INT).build();
    assertThat(told(group -> create(group, bundle, Blocks.even(GRID, RANKS, group.rank()))))
        .contains("bundle 'b': netCDF-4 files need forebay-netcdf4 on the class path");
  }
}
