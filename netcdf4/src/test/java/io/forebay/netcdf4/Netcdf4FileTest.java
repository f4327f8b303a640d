// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.RecordFields;
import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one file promises, and what is answered to requests that cannot be fulfilled. */
@Timeout(60)
class Netcdf4FileTest {
  private static final Netcdf4Options STANDARD = Netcdf4Options.standard();

  @TempDir Path folder;

  private Judges judges;
  private Path path;

  @BeforeEach
  void assume() {
    Judges.assumeLibrary();
    judges = new Judges(folder);
    path = folder.resolve("file.nc");
  }

  private static Header header(Variable... variables) {
    List<Dimension> dimensions =
        List.of(
            new Dimension("t", Dimension.UNLIMITED), new Dimension("y", 2), new Dimension("x", 3));
    return new Header(Format.CDF5, 0, dimensions, List.of(), List.of(variables));
  }

  private static Header grid() {
    return header(Sample.variable("v", ElementType.INT, List.of(1, 2)));
  }

  private static NetcdfError error(ThrowingCallable call) {
    return catchThrowableOfType(NetcdfException.class, call).error();
  }

  @Test
  void unwrittenElementsAreZerosOrFillValues() throws IOException {
    Judges.assumeInstalled("ncdump", "netcdf-bin");
    Variable filled =
        Sample.variable(
            "f", ElementType.INT, List.of(1, 2), Attribute.ofInts(Attribute.FILL_VALUE, -7));
    Header both = header(grid().variables().getFirst(), filled);
    Netcdf4File.createContiguous(folder.resolve("raw.nc"), both, STANDARD);
    Netcdf4File.create(folder.resolve("serial.nc"), grid(), STANDARD).close();
    Netcdf4File.create(folder.resolve("deflated.nc"), grid(), STANDARD.withDeflateLevel(1)).close();
    String zeros = "v =\n  0, 0, 0,\n  0, 0, 0 ;";
    assertThat(judges.dump(folder.resolve("raw.nc")))
        .contains(zeros, zeros.replace("v =", "f ="), "f:_FillValue = -7 ;");
    assertThat(judges.dump(folder.resolve("serial.nc"))).contains(zeros);
    assertThat(judges.dump(folder.resolve("deflated.nc"))).contains("v =\n  _, _, _,\n  _, _, _ ;");
  }

  @Test
  void variableWithoutElementsHasNoPlace() throws IOException {
    Judges.assumeInstalled("ncdump", "netcdf-bin");
    Header header =
        header(
            Sample.variable("none", ElementType.DOUBLE, List.of(0, 2)),
            Sample.variable("some", ElementType.DOUBLE, List.of(2)));
    RawLayout layout = Netcdf4File.createContiguous(path, header, STANDARD);
    assertThat(layout.places().getFirst())
        .isEqualTo(new RawLayout.Place(RawLayout.NOWHERE, 0, Double.BYTES));
    assertThat(layout.places().getLast().lengthBytes()).isEqualTo(24);
    assertThatThrownBy(() -> layout.address(0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(judges.dump(path)).contains("t = UNLIMITED ; // (0 currently)", "some = 0, 0, 0 ;");

    try (Arena arena = Arena.ofConfined();
        Netcdf4File file =
            Netcdf4File.create(folder.resolve("serial.nc"), header, STANDARD.withDeflateLevel(1))) {
      MemorySegment nothing = arena.allocate(0);
      file.write(0, new long[2], new long[] {0, 3}, nothing);
      long[] oneRecord = {1, 3};
      assertThat(error(() -> file.write(0, new long[2], oneRecord, arena.allocate(24))))
          .isEqualTo(NetcdfError.OUT_OF_BOUNDS);
    }
    assertThat(judges.dump(folder.resolve("serial.nc"))).contains("double none(t, x)");
  }

  @Test
  void fileWithoutVariables() throws IOException {
    Judges.assumeInstalled("ncdump", "netcdf-bin");
    RawLayout layout = Netcdf4File.createContiguous(path, Header.empty(Format.CDF5), STANDARD);
    assertThat(layout.places()).isEmpty();
    assertThat(layout.fileBytes()).isEqualTo(Files.size(path));
    assertThat(judges.dump(path, "-k")).contains("netCDF-4");
  }

  @Test
  void layoutTravelsAsBytes() throws Exception {
    RawLayout layout = Netcdf4File.createContiguous(path, grid(), STANDARD);
    RecordFields fields = new RecordFields(RecordFields.Numbers.NONE);
    FieldWriter out = new FieldWriter();
    fields.write(layout, out);
    assertThat(fields.read(RawLayout.class, new FieldReader(out.written()))).isEqualTo(layout);
  }

  @Test
  void existingFileIsKeptUnlessReplacingIsAskedFor() throws IOException {
    Files.writeString(path, "precious");
    assertThat(error(() -> Netcdf4File.create(path, grid(), STANDARD)))
        .isEqualTo(NetcdfError.EXISTS);
    assertThatThrownBy(() -> Netcdf4File.createContiguous(path, grid(), STANDARD))
        .hasMessageContaining(path + " exists already");
    assertThat(path).hasContent("precious");
    Netcdf4Options replace = STANDARD.withMode(CreateMode.REPLACE);
    RawLayout layout = Netcdf4File.createContiguous(path, grid(), replace);
    assertThat(Files.size(path)).isEqualTo(layout.fileBytes());
  }

  @Test
  void pathsThatCannotBe() {
    Path lost = folder.resolve("missing").resolve("file.nc");
    assertThatThrownBy(() -> Netcdf4File.create(lost, grid(), STANDARD))
        .isInstanceOf(NetcdfException.class)
        .hasMessageContaining("there is no directory " + lost.getParent());
    Netcdf4Options replace = STANDARD.withMode(CreateMode.REPLACE);
    assertThatThrownBy(() -> Netcdf4File.create(folder, grid(), replace))
        .hasMessageContaining("is a directory");
    Path slash = folder.resolve("a\\b");
    assertThat(error(() -> Netcdf4File.create(slash, grid(), STANDARD)))
        .isEqualTo(NetcdfError.BAD_NAME);
    // Names that only look like addresses are plain names.
    Path odd = folder.resolve("größe #mode=zarr,file.nc");
    assertThatCode(() -> Netcdf4File.create(odd, grid(), STANDARD).close())
        .doesNotThrowAnyException();
    assertThat(odd).isNotEmptyFile();
  }

  @Test
  void failureNamesFileCallAndReason() throws IOException {
    // The kernel has no such files, even for root.
    Path impossible = Path.of("/proc/forebay.nc");
    assertThatThrownBy(() -> Netcdf4File.create(impossible, grid(), STANDARD))
        .isInstanceOf(NetcdfException.class)
        .hasMessageContainingAll("/proc/forebay.nc: nc_create fails", "Permission denied");
  }

  @Test
  void definitionThatTheLibraryRefusesLeavesNoFile() {
    Variable once = Sample.variable("v", ElementType.INT, List.of());
    assertThatThrownBy(() -> Netcdf4File.create(path, header(once, once), STANDARD))
        .isInstanceOf(NetcdfException.class)
        .hasMessageContainingAll(path + ": nc_def_var of variable 'v' fails: NetCDF: String match");
    assertThat(path).doesNotExist();
    Attribute wrong = Attribute.ofDoubles(Attribute.FILL_VALUE, 1);
    Header bad = header(Sample.variable("v", ElementType.INT, List.of(), wrong));
    assertThatThrownBy(() -> Netcdf4File.createContiguous(path, bad, STANDARD))
        .hasMessageContaining("nc_put_att of attribute '_FillValue' of variable 'v'");
    assertThat(path).doesNotExist();
    assertThatThrownBy(() -> Netcdf4File.create(path, named("a/b"), STANDARD))
        .hasMessageContaining(path + ": name 'a/b' contains");
  }

  private static Header named(String name) {
    return header(Sample.variable(name, ElementType.INT, List.of()));
  }

  @Test
  void variableBeyondAllBounds() {
    List<Dimension> dimensions =
        List.of(new Dimension("x", 1L << 40), new Dimension("y", 1L << 40));
    Header header =
        new Header(
            Format.CDF5,
            0,
            dimensions,
            List.of(),
            List.of(Sample.variable("v", ElementType.INT, List.of(0, 1))));
    assertThat(error(() -> Netcdf4File.create(path, header, STANDARD)))
        .isEqualTo(NetcdfError.TOO_LARGE);
  }

  @Test
  void partsAreChecked() throws IOException {
    Header header = grid();
    try (Arena arena = Arena.ofConfined();
        Netcdf4File file = Netcdf4File.create(path, header, STANDARD)) {
      MemorySegment six = arena.allocate(24);
      long[] zero = {0, 0};
      long[] all = {2, 3};
      assertThat(error(() -> file.write(1, zero, all, six))).isEqualTo(NetcdfError.NOT_FOUND);
      assertThat(error(() -> file.write(-1, zero, all, six))).isEqualTo(NetcdfError.NOT_FOUND);
      for (long[] start : List.of(new long[] {0, 1}, new long[] {-1, 0}, new long[] {0})) {
        assertThat(error(() -> file.write(0, start, all, six)))
            .isEqualTo(NetcdfError.OUT_OF_BOUNDS);
      }
      long[] huge = {Long.MAX_VALUE, 0};
      assertThat(error(() -> file.write(0, huge, all, six))).isEqualTo(NetcdfError.OUT_OF_BOUNDS);
      assertThat(error(() -> file.write(0, zero, all, arena.allocate(23))))
          .isEqualTo(NetcdfError.WRONG_LENGTH);
      MemorySegment heap = MemorySegment.ofArray(new int[6]);
      assertThatThrownBy(() -> file.write(0, zero, all, heap))
          .isInstanceOf(IllegalArgumentException.class);
      file.write(0, zero, all, six);
    }
  }

  @Test
  void closedFileTakesNothing() throws IOException {
    Netcdf4File file = Netcdf4File.create(path, grid(), STANDARD);
    file.close();
    file.close();
    assertThat(error(file::sync)).isEqualTo(NetcdfError.WRONG_MODE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocate(4);
      assertThat(error(() -> file.write(0, new long[2], new long[] {1, 1}, one)))
          .isEqualTo(NetcdfError.WRONG_MODE);
    }
  }

  @Test
  void openFileIsNotReplaced() throws IOException {
    Netcdf4Options replace = STANDARD.withMode(CreateMode.REPLACE);
    try (Netcdf4File file = Netcdf4File.create(path, grid(), STANDARD)) {
      assertThatThrownBy(() -> Netcdf4File.create(path, grid(), replace))
          .isInstanceOf(NetcdfException.class)
          .hasMessageContaining("no other open file has this name");
      file.sync();
    }
    assertThat(path).isNotEmptyFile();
  }

  @Test
  void filesOfManyThreadsAtOnce() throws Exception {
    Judges.assumeInstalled("ncdump", "netcdf-bin");
    int threads = 4;
    int rows = 50;
    try (Netcdf4File shared =
            Netcdf4File.create(folder.resolve("shared.nc"), rows(rows), STANDARD);
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Callable<Path>> work = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        work.add(() -> fillOneAndShare(shared, rows, number, threads));
      }
      for (Future<Path> own : pool.invokeAll(work)) {
        assertThat(judges.dump(own.get())).contains("\n  49, 49, 49 ;");
      }
    }
    StringBuilder expected = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      expected.append(expected.isEmpty() ? "  " : ",\n  ").append(row + ", " + row + ", " + row);
    }
    assertThat(judges.dump(folder.resolve("shared.nc"))).contains(expected + " ;");
  }

  private static Header rows(int rows) {
    return new Header(
        Format.CDF5,
        0,
        List.of(new Dimension("y", rows), new Dimension("x", 3)),
        List.of(),
        List.of(Sample.variable("v", ElementType.INT, List.of(0, 1))));
  }

  /** Writes all rows of a file of its own, and its share of the rows of the shared file. */
  private Path fillOneAndShare(Netcdf4File shared, int rows, int number, int threads)
      throws IOException {
    Path own = folder.resolve("own" + number + ".nc");
    Netcdf4Options options = STANDARD.withDeflateLevel(number);
    try (Arena arena = Arena.ofConfined();
        Netcdf4File file = Netcdf4File.create(own, rows(rows), options)) {
      for (int row = 0; row < rows; row++) {
        MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_INT, row, row, row);
        long[] start = {row, 0};
        long[] count = {1, 3};
        file.write(0, start, count, values);
        if (row % threads == number) shared.write(0, start, count, values);
        if (row % 10 == number) file.sync();
      }
    }
    return own;
  }

  /** The alignment is a setting of the process between two calls of the library. */
  @Test
  void filesOfManyThreadsKeepTheirAlignment() throws Exception {
    int threads = 4;
    int files = 50;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int alignmentBytes = 4096 << thread;
        work.add(() -> createAligned(alignmentBytes, files));
      }
      for (Future<Void> done : pool.invokeAll(work)) done.get();
    }
  }

  private Void createAligned(int alignmentBytes, int files) throws IOException {
    Path own = folder.resolve("aligned" + alignmentBytes);
    Netcdf4Options options =
        STANDARD.withAlignmentBytes(alignmentBytes).withMode(CreateMode.REPLACE);
    Header header = rows(alignmentBytes);
    RawLayout first = Netcdf4File.createContiguous(own, header, options);
    for (int i = 1; i < files; i++) {
      assertThat(Netcdf4File.createContiguous(own, header, options)).isEqualTo(first);
    }
    return null;
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> STANDARD.withDeflateLevel(10)).hasMessageContaining("deflateLevel");
    assertThatThrownBy(() -> STANDARD.withAlignmentBytes(0)).hasMessageContaining("alignment");
    Netcdf4Options deflated = STANDARD.withDeflateLevel(1);
    assertThatThrownBy(() -> Netcdf4File.createContiguous(path, grid(), deflated))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
