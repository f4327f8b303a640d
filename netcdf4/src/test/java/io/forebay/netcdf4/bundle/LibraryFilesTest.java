// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.BundleOptions.Netcdf4Writes;
import io.forebay.netcdf.bundle.BundleSet;
import io.forebay.netcdf.bundle.StepData;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf4.Judges;
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

/** Bundles in netCDF-4 have the content of the same bundles in CDF-5, whichever way they go. */
@Timeout(300)
class LibraryFilesTest {
  private static final Grid GRID = new Grid("lat", 19, "lon", 23);
  private static final int RANKS = 5;

  /** Prints what the file has, through one library or the other. */
  private static final String CONTENT =
      """
      import sys, hashlib
      if sys.argv[1] == 'netCDF4':
          import netCDF4
          f = netCDF4.Dataset(sys.argv[2])
          f.set_auto_mask(False)
          names = list(f.variables)
      else:
          import h5py
          f = h5py.File(sys.argv[2])
          names = [n for n in f if f[n].attrs.get('NAME', b'')[:2] != b'Th']
      for name in sorted(names):
          data = f[name][...]
          little = data.astype(data.dtype.newbyteorder('<')).tobytes()
          print(name, data.shape, hashlib.sha1(little).hexdigest())
      """;

  @TempDir private Path directory;

  private static Bundle bundle(String name, BundleFormat format, int deflate) {
    float[] latitudes = new float[19];
    for (int i = 0; i < latitudes.length; i++) latitudes[i] = -90 + 10 * i;
    return Bundle.named(name, GRID)
        .format(format)
        .deflate(deflate)
        .attribute(Attribute.text("title", "moisture"))
        .levels("lev", 7)
        .coordinate("lat", Values.of(latitudes), Attribute.text("units", "degrees_north"))
        .variable("q", ElementType.FLOAT, "lev", Attribute.text("units", "kg/kg"))
        .variable("ps", ElementType.DOUBLE)
        .variable("flags", ElementType.UBYTE)
        .variable("n", ElementType.INT64, "lev")
        .build();
  }

  private static StepData data(List<Bundle> bundles, Group group) {
    Block block = Blocks.even(GRID, group.size(), group.rank());
    StepData data = new StepData();
    for (Bundle bundle : bundles) {
      for (int v = 0; v < bundle.variables().size(); v++) {
        PlaneVariable variable = bundle.variables().get(v);
        int[] values = new int[(int) (block.elements() * variable.planes())];
        int at = 0;
        for (long level = 0; level < variable.planes(); level++) {
          for (long row = block.row(); row < block.row() + block.rows(); row++) {
            for (long c = block.column(); c < block.column() + block.columns(); c++) {
              values[at++] = (int) ((level * 437 + row * 23 + c) * (v + 3) % 251);
            }
          }
        }
        data.put(bundle.name(), variable.name(), Values.of(values));
      }
    }
    return data;
  }

  private void write(List<Bundle> bundles, BundleOptions options, String prefix)
      throws IOException {
    ThreadRanks.run(
        RANKS,
        2,
        group -> {
          try (BundleSet set = BundleSet.create(group, bundles, Blocks.even(group), options)) {
            set.write(directory + "/" + prefix + "{bundle}.nc", data(bundles, group));
          }
        });
  }

  @Test
  void everyWayHasTheContentOfAClassicFile() throws IOException {
    Judges.assumeLibrary();
    Judges.assumeInstalled("ncdump", "netcdf-bin");
    Judges.assumePython("netCDF4", "python3-netcdf4");
    Judges.assumePython("h5py", "python3-h5py");
    Judges judges = new Judges(directory);
    List<Bundle> bundles =
        List.of(
            bundle("classic", BundleFormat.CDF5, 0),
            bundle("plain", BundleFormat.NETCDF4, 0),
            bundle("small", BundleFormat.NETCDF4, 4));
    for (Scheme scheme : Scheme.values()) {
      for (Netcdf4Writes writes : Netcdf4Writes.values()) {
        BundleOptions options =
            BundleOptions.defaults()
                .withScheme(scheme)
                .withNetcdf4(writes)
                .withAggregators(3)
                .withMemory(BundleOptions.MEMORY_BYTES_MIN);
        String prefix = scheme + "-" + writes + "-";
        write(bundles, options, prefix);
      }
    }
    Path classic = directory.resolve("BPS-SERIAL-classic.nc");
    String dumped = judges.dump(classic);
    String content = judges.python(CONTENT, "netCDF4", classic);
    assertThat(content).contains("flags", "lat", "ps", "q", "n ");
    for (Scheme scheme : Scheme.values()) {
      for (String way : List.of("SERIAL-plain", "PARALLEL-plain", "PARALLEL-small")) {
        Path file = directory.resolve(scheme + "-" + way + ".nc");
        assertThat(judges.dump(file)).as("%s", file).isEqualTo(dumped);
      }
    }
    for (String way : List.of("BPS-SERIAL-plain", "IPS-PARALLEL-plain", "LPS-SERIAL-small")) {
      Path file = directory.resolve(way + ".nc");
      assertThat(judges.python(CONTENT, "netCDF4", file)).isEqualTo(content);
      assertThat(judges.python(CONTENT, "h5py", file)).isEqualTo(content);
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsTold() throws IOException {
    Judges.assumeLibrary();
    Bundle bundle = bundle("b", BundleFormat.NETCDF4, 0);
    ConcurrentMap<Integer, String> told = new ConcurrentHashMap<>();
    ThreadRanks.run(
        2,
        group -> {
          try (BundleSet set =
              BundleSet.create(
                  group, List.of(bundle), Blocks.even(group), BundleOptions.defaults())) {
            set.write(directory + "/none/b.nc", data(List.of(bundle), group));
          } catch (NetcdfException e) {
            told.put(group.rank(), String.valueOf(e.getMessage()));
          }
        });
    assertThat(told).hasSize(2);
    assertThat(told.values()).allSatisfy(t -> assertThat(t).contains("create it first"));
  }
}
