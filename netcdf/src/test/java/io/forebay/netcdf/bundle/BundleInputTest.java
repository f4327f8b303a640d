// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.NetcdfFiles;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.ElementType;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
  void attributesOfTheSameLengthThatDifferByRank() throws IOException {
    assertThat(
            told(
                group -> {
                  Attribute title = Attribute.text("title", group.rank() == 3 ? "wet" : "dry");
                  Bundle bundle =
                      Bundle.named("b", GRID)
                          .attribute(title)
                          .variable("v", ElementType.FLOAT, Attribute.ofInts("n", 7))
                          .build();
                  create(group, bundle, Blocks.even(GRID, RANKS, group.rank()));
                }))
        .contains("rank 3", "bundle 'b', attribute 'title': CHAR 'wet'", "rank 0", "CHAR 'dry'");
    assertThat(
            told(
                group -> {
                  Attribute number = Attribute.ofInts("n", group.rank());
                  Bundle bundle =
                      Bundle.named("b", GRID).variable("v", ElementType.FLOAT, number).build();
                  create(group, bundle, Blocks.even(GRID, RANKS, group.rank()));
                }))
        .contains("rank 1", "bundle 'b', variable 'v', attribute 'n': INT 00000001");
  }

  /** A process of MPI may have another environment than the first. */
  @Test
  void settingsOfTheEnvironmentThatDifferByRank() throws IOException {
    assertThat(
            told(
                group -> {
                  Map<String, String> environment =
                      group.rank() == 2 ? Map.of("FOREBAY_HINTS", "burst_buffer=enable") : Map.of();
                  BundleSet.create(
                      group,
                      List.of(bundle(ElementType.FLOAT)),
                      Blocks.even(group),
                      BundleOptions.defaults(),
                      NetcdfFiles.standard(),
                      environment);
                }))
        .contains("rank 2", "burst_buffer=enable", "rank 0 defines the options");
  }

  @Test
  void blocksOfEachBundleAreChecked() throws IOException {
    Grid small = new Grid("y", 4, "x", 4);
    List<Bundle> bundles =
        List.of(
            Bundle.named("a", GRID).variable("v", ElementType.INT).build(),
            Bundle.named("b", small).variable("v", ElementType.INT).build(),
            Bundle.named("c", GRID).variable("w", ElementType.INT).build());
    assertThat(
            told(
                group -> {
                  AtomicInteger asked = new AtomicInteger();
                  BundleSet.create(
                      group,
                      bundles,
                      grid -> {
                        Grid meant = asked.getAndIncrement() == 0 ? grid : small;
                        return Blocks.even(meant, RANKS, group.rank());
                      },
                      BundleOptions.defaults());
                }))
        .contains("bundle 'c', variable 'w': no rank has row 0, column 4");
  }

  @Test
  void anAttributePutTwiceHasItsLastValue() {
    Bundle bundle =
        Bundle.named("b", GRID)
            .attribute(Attribute.text("title", "old"))
            .attribute(Attribute.text("title", "new"))
            .variable("v", ElementType.INT)
            .build();
    assertThat(bundle.header().attributes()).containsExactly(Attribute.text("title", "new"));
  }

  @Test
  void aBlockThatOneRankCannotNameIsToldToAll() throws IOException {
    List<Bundle> bundles = List.of(bundle(ElementType.FLOAT));
    assertThat(
            told(
                group ->
                    BundleSet.create(
                        group,
                        bundles,
                        grid -> new Block(group.rank() == 2 ? -1 : 0, 1, 0, 1),
                        BundleOptions.defaults())))
        .contains("rank 2: bundle 'b', variable 'v': no block of this rank: ", "-1+1");
  }

  @Test
  void aClosedSetWritesNoMore() throws IOException {
    List<Bundle> bundles = List.of(bundle(ElementType.FLOAT));
    ThreadRanks.run(
        RANKS,
        group -> {
          BundleSet set =
              BundleSet.create(group, bundles, Blocks.even(group), BundleOptions.defaults());
          set.close();
          assertThatThrownBy(
                  () ->
                      set.write(
                          directory + "/b.nc", BundleModel.data(bundles, Blocks.even(group), 0)))
              .hasMessage("these bundles are closed; create them again");
        });
  }

  private static List<Bundle> five() {
    return Stream.of("a", "b", "c", "d", "e")
        .map(name -> Bundle.named(name, GRID).variable("v", ElementType.INT).build())
        .toList();
  }

  @Test
  void moreBundlesThanRanksWithoutMerging() throws IOException {
    BundleOptions apart = BundleOptions.defaults().withMerging(false);
    assertThat(told(group -> BundleSet.create(group, five(), Blocks.even(group), apart)))
        .contains(
            "5 bundles and 4 ranks: bundle 'e' has no rank of its own; allow merging, or use more"
                + " ranks");
    // All ranks are on one node.
    BundleOptions local = apart.withScheme(Scheme.LPS);
    List<Bundle> two = five().subList(0, 2);
    assertThat(told(group -> BundleSet.create(group, two, Blocks.even(group), local)))
        .contains(
            "2 bundles and 1 node: bundle 'b' has no node of its own; allow merging, or use more"
                + " nodes");
  }

  @Test
  void withoutMergingOnlySchemesWithAGroupForEachBundleAreChosenFrom() throws IOException {
    List<Bundle> two = five().subList(0, 2);
    ThreadRanks.run(
        RANKS,
        group -> {
          BundleOptions apart = BundleOptions.defaults().withMerging(false);
          try (BundleSet set = BundleSet.create(group, two, Blocks.even(group), apart)) {
            StepReport report =
                set.write(directory + "/{bundle}.nc", BundleModel.data(two, Blocks.even(group), 0));
            assertThat(report.predictedNanos()).containsOnlyKeys(Scheme.BPS, Scheme.IPS);
          }
        });
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
        .contains("rank 2: the files of this step are named", "/1{bundle}", "/0{bundle}");
    // Names whose hash codes are the same.
    assertThat(
            told(
                group -> {
                  String part = group.rank() == 1 ? "Aa" : "BB";
                  write(group, bundles, directory + "/" + part + "{bundle}");
                }))
        .contains("rank 1: ", "/Aa{bundle}', and on rank 0 '", "/BB{bundle}'");
    assertThat(directory).isEmptyDirectory();
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
    assertThatThrownBy(() -> Bundle.named("b", GRID).variable("a/b", ElementType.INT).build())
        .hasMessage("bundle 'b': name 'a/b' contains '/' or a control character");
    assertThatThrownBy(
            () ->
                Bundle.named("b", GRID)
                    .format(BundleFormat.CDF1)
                    .variable("v", ElementType.INT64)
                    .build())
        .hasMessage("bundle 'b', variable 'v': INT64 does not exist in CDF1; use CDF5 or NETCDF4");
    assertThatThrownBy(
            () ->
                Bundle.named("b", GRID)
                    .variable("v", ElementType.INT, Attribute.ofBytes("_FillValue", (byte) 1))
                    .build())
        .hasMessage("bundle 'b', variable 'v': _FillValue must be one INT");
    Grid large = new Grid("y", 30_000, "x", 30_000);
    assertThatThrownBy(
            () ->
                Bundle.named("b", large)
                    .format(BundleFormat.CDF1)
                    .variable("v", ElementType.FLOAT)
                    .variable("w", ElementType.FLOAT)
                    .build())
        .hasMessageContaining("bundle 'b': ")
        .hasMessageContaining("variable 'v'");
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
