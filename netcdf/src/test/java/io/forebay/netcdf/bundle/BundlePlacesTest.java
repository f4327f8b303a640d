// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.MpiProcesses;
import io.forebay.netcdf.Tools;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.store.FileNames;
import io.forebay.parallel.ThreadRanks;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that are processes, files on instances, and other programs that read and make them. */
@Timeout(400)
class BundlePlacesTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"mpirun.openmpi, openmpi-bin, 5", "mpirun.mpich, mpich, 4"})
  void processesOfMpiWriteTheSameFiles(String launcher, String debianPackage, int ranks)
      throws IOException, StartFailed {
    MpiProcesses.assumeInstalled(launcher, debianPackage);
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(1).copies(1).start()) {
      List<String> folders = List.of(directory.toString(), cluster.uri());
      MpiProcesses.run(directory, launcher, ranks, BundleMpiMain.class, folders);
      Path onInstance = FileNames.parse(cluster.uri() + "/");
      for (String way : List.of("BPS", "LPS", "IPS", "auto")) {
        for (Path folder : List.of(directory, onInstance)) {
          requireSame(folder, way, BundleMpiMain.STEPS);
        }
      }
      onInstance.getFileSystem().close();
    }
  }

  private void requireSame(Path folder, String way, int steps) throws IOException {
    List<Bundle> bundles = BundleModel.bundles();
    for (int step = 0; step < steps; step++) {
      for (int b = 0; b < bundles.size(); b++) {
        Path expected = directory.resolve("expected.nc");
        BundleModel.writeSerially(bundles.get(b), b, step, expected);
        Path actual = folder.resolve(way + bundles.get(b).name() + "." + step + ".nc");
        assertThat(Files.readAllBytes(actual))
            .as("%s", actual)
            .isEqualTo(Files.readAllBytes(expected));
      }
    }
  }

  @Test
  void threadsWriteToAnInstance() throws IOException, StartFailed {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(2).copies(2).start()) {
      ThreadRanks.run(
          5,
          2,
          group ->
              BundleModel.write(
                  group,
                  BundleModel.bundles(),
                  Blocks.even(group),
                  BundleOptions.defaults().withAggregators(3),
                  cluster.uri() + "/",
                  4));
      Path folder = FileNames.parse(cluster.uri() + "/");
      requireSame(folder, "", 4);
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).hasSize(12);
      }
      folder.getFileSystem().close();
    }
  }

  /** The serial C library makes the same file, byte for byte, of what ncdump prints. */
  @Test
  void theSerialLibraryMakesTheSameBytes() throws IOException {
    Tools.assumeInstalled("ncdump", "ncgen");
    List<Bundle> bundles = BundleModel.bundles();
    ThreadRanks.run(
        4,
        2,
        group ->
            BundleModel.write(
                group, bundles, Blocks.even(group), BundleOptions.defaults(), directory + "/", 1));
    List<String> kinds = List.of("cdf5", "nc6", "nc3");
    for (int b = 0; b < bundles.size(); b++) {
      Path ours = directory.resolve(bundles.get(b).name() + ".0.nc");
      Tools.Outcome dumped = Tools.run(directory, "ncdump", "-n", "again", ours.toString());
      assertThat(dumped.exitCode()).isZero();
      Path text = directory.resolve("again.cdl");
      String cdl = new String(dumped.output().toArray(), StandardCharsets.UTF_8);
      Files.writeString(text, cdl);
      List<String> command = new ArrayList<>(List.of("ncgen", "-k", kinds.get(b), "-x"));
      command.addAll(List.of("-o", "again.nc", "again.cdl"));
      Tools.Outcome made = Tools.run(directory, command.toArray(String[]::new));
      assertThat(made.exitCode()).isZero();
      assertThat(Files.mismatch(directory.resolve("again.nc"), ours)).as(cdl).isEqualTo(-1);
    }
  }
}
