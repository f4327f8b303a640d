// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One content written in all ways, and read by programs of others. */
@Timeout(120)
class SameContentTest {
  private static final int WRITERS = 4;

  private static final String COMPARE =
      """
      import h5py, netCDF4, numpy, sys
      files = [netCDF4.Dataset(name) for name in sys.argv[1:]]
      for file in files: file.set_auto_maskandscale(False)
      first = files[0]
      for name, variable in first.variables.items():
          for file in files[1:]:
              other = file.variables[name]
              assert other.dtype == variable.dtype and other.dimensions == variable.dimensions, name
              assert numpy.array_equal(other[...], variable[...]), name
              assert other.ncattrs() == variable.ncattrs(), name
      print("netCDF4 compared", len(first.variables))
      trees = [h5py.File(name, "r") for name in sys.argv[1:]]
      for name, dataset in trees[0].items():
          for tree in trees[1:]:
              assert tree[name].dtype == dataset.dtype and tree[name].shape == dataset.shape, name
              held = dataset.id.get_storage_size() > 0
              assert not held or numpy.array_equal(tree[name][...], dataset[...]), name
      print("h5py compared", len(trees[0]))
      """;

  @TempDir Path folder;

  private Judges judges;

  @BeforeEach
  void assume() throws IOException {
    Judges.assumeLibrary();
    Judges.assumeInstalled("ncdump", "netcdf-bin");
    Judges.assumePython("netCDF4", "python3-netcdf4");
    Judges.assumePython("h5py", "python3-h5py");
    judges = new Judges(folder);
  }

  @Test
  void allWaysGiveOneContent() throws Exception {
    Path python = folder.resolve("python.nc");
    judges.python(Sample.PYTHON, python);
    Path serial = writeSerially("serial.nc", 0);
    Path deflated = writeSerially("deflated.nc", 6);
    Path raw = writeRaw("raw.nc", 4096);
    Path coarse = writeRaw("coarse.nc", 1 << 20);
    Path unaligned = writeRaw("unaligned.nc", 1);

    String expected = judges.dump(python);
    assertThat(expected)
        .contains("höhe:kürzel = \"ä\"", "annotated:ulongs = 18446744073709551615ULL");
    List<Path> ours = List.of(serial, deflated, raw, coarse, unaligned);
    for (Path file : ours) assertThat(judges.dump(file)).as(file.toString()).isEqualTo(expected);
    assertThat(judges.python(COMPARE, python, serial, deflated, raw, coarse, unaligned))
        .contains("netCDF4 compared " + Sample.header().variables().size())
        .contains("h5py compared");
  }

  @Test
  void deflatedPlanesAreChunks() throws Exception {
    Judges.assumeInstalled("h5dump", "hdf5-tools");
    Path file = writeSerially("deflated.nc", 6);
    assertThat(judges.h5dump(file, "-p", "-H", "-d", "/cube6"))
        .contains(
            "CHUNKED ( 1, 40, 50 )", "PREPROCESSING SHUFFLE", "COMPRESSION DEFLATE { LEVEL 6 }");
    assertThat(judges.h5dump(file, "-p", "-H", "-d", "/cube1"))
        .contains("CHUNKED ( 1, 40, 50 )", "COMPRESSION DEFLATE")
        .doesNotContain("SHUFFLE");
    assertThat(judges.h5dump(file, "-p", "-H", "-d", "/x")).contains("CHUNKED ( 50 )");
    assertThat(judges.h5dump(file, "-p", "-H", "-d", "/scalar6")).contains("CONTIGUOUS");
  }

  @Test
  void variablesBeyondFourGibibytes() throws Exception {
    long elements = 600_000_000L;
    Header header =
        new Header(
            Format.CDF5,
            0,
            List.of(new Dimension("n", elements)),
            List.of(),
            List.of(
                Sample.variable("first", ElementType.DOUBLE, List.of(0)),
                Sample.variable("second", ElementType.DOUBLE, List.of(0))));
    Path file = folder.resolve("large.nc");
    RawLayout layout = Netcdf4File.createContiguous(file, header, Netcdf4Options.standard());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int variable = 0; variable < 2; variable++) {
        ByteBuffer value = ByteBuffer.allocate(Double.BYTES).order(layout.byteOrder());
        value.putDouble(0, variable + 0.5);
        channel.write(value, layout.address(variable, elements - 1));
      }
    }
    String script =
        """
        import netCDF4, sys
        file = netCDF4.Dataset(sys.argv[1])
        print([[float(file[name][i]) for i in (0, -2, -1)] for name in ("first", "second")])
        """;
    assertThat(judges.python(script, file)).contains("[[0.0, 0.0, 0.5], [0.0, 0.0, 1.5]]");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4096, 1 << 20})
  void addressesAreThoseThatHdf5Has(int alignmentBytes) throws Exception {
    Judges.assumeInstalled("h5dump", "hdf5-tools");
    Path file = folder.resolve("raw.nc");
    Header header = Sample.header();
    RawLayout layout =
        Netcdf4File.createContiguous(
            file, header, Netcdf4Options.standard().withAlignmentBytes(alignmentBytes));
    for (int i = 0; i < header.variables().size(); i++) {
      Variable variable = header.variables().get(i);
      boolean isHidden = variable.name().equals("höhe") || variable.name().equals("time");
      String stored = isHidden ? "_nc4_non_coord_" + variable.name() : variable.name();
      RawLayout.Place place = layout.places().get(i);
      assertThat(judges.h5dump(file, "-p", "-H", "-d", "/" + stored))
          .contains("CONTIGUOUS", "OFFSET " + place.address(), "SIZE " + place.lengthBytes());
      if (place.lengthBytes() >= alignmentBytes) {
        assertThat(place.address() % alignmentBytes).isZero();
      }
    }
  }

  private Path writeSerially(String name, int deflateLevel) throws IOException {
    Path path = folder.resolve(name);
    Header header = Sample.header();
    try (Arena arena = Arena.ofConfined();
        Netcdf4File file =
            Netcdf4File.create(
                path, header, Netcdf4Options.standard().withDeflateLevel(deflateLevel))) {
      for (int i = 0; i < header.variables().size(); i++) {
        Variable variable = header.variables().get(i);
        long[] count = Sample.shape(header, variable);
        long[] start = new long[count.length];
        // The slowest dimension goes step by step, so that parts that begin elsewhere are written.
        long steps = count.length == 0 ? 1 : count[0];
        long elements = Sample.elements(header, variable) / steps;
        for (int step = 0; step < steps; step++) {
          if (count.length > 0) {
            start[0] = step;
            count[0] = 1;
          }
          file.write(
              i, start, count, Sample.bytes(arena, variable.type(), step * elements, elements));
        }
      }
      file.sync();
    }
    return path;
  }

  private Path writeRaw(String name, int alignmentBytes) throws Exception {
    Path path = folder.resolve(name);
    Header header = Sample.header();
    RawLayout layout =
        Netcdf4File.createContiguous(
            path, header, Netcdf4Options.standard().withAlignmentBytes(alignmentBytes));
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> done = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int share = writer;
        done.add(threads.submit(() -> writeShare(path, header, layout, share)));
      }
      for (Future<?> future : done) future.get();
    }
    return path;
  }

  /** Writes each variable's share of one writer through a channel of its own. */
  private static void writeShare(Path path, Header header, RawLayout layout, int share) {
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      for (int i = 0; i < header.variables().size(); i++) {
        Variable variable = header.variables().get(i);
        long elements = layout.places().get(i).elements();
        long first = elements * share / WRITERS;
        long end = elements * (share + 1) / WRITERS;
        if (first == end) continue;
        ByteBuffer bytes = Sample.bytes(arena, variable.type(), first, end - first).asByteBuffer();
        long at = layout.address(i, first);
        while (bytes.hasRemaining()) at += channel.write(bytes, at);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
