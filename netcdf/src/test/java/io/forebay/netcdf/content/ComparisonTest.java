// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.cdl.RandomFile;
import io.forebay.netcdf.content.Comparison.Options;
import io.forebay.netcdf.content.Comparison.Side;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.PosixFile;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How files differ. */
class ComparisonTest {
  private static final List<Format> FORMATS = List.of(Format.values());
  private static final Options EVERYTHING = new Options(false, true, Set.of(), Tolerance.NONE);

  @TempDir Path folder;

  private static List<Difference> compare(Path a, Path b, Options options) throws IOException {
    try (PosixFile fileA = PosixFile.open(a, StandardOpenOption.READ);
        PosixFile fileB = PosixFile.open(b, StandardOpenOption.READ)) {
      return Comparison.compare(
          new Side(fileA, HeaderReader.read(fileA.asSource())),
          new Side(fileB, HeaderReader.read(fileB.asSource())),
          options,
          bytes -> {});
    }
  }

  /** A file with records of a double and a byte each, the doubles from 0 on. */
  private Path write(String name, Format format, int records, String title) throws IOException {
    List<Dimension> dimensions = List.of(new Dimension("t", 0), new Dimension("x", 2));
    Variable d = new Variable("d", ElementType.DOUBLE, List.of(0, 1), List.of(), -1);
    Variable b = new Variable("b", ElementType.BYTE, List.of(0), List.of(), -1);
    Header header =
        Layout.place(
            new Header(
                format,
                records,
                dimensions,
                List.of(Attribute.text("title", title)),
                List.of(d, b)),
            4);
    Layout layout = Layout.of(header);
    ByteBuffer bytes = ByteBuffer.allocate((int) layout.fileBytes(records));
    bytes.put(HeaderWriter.write(header));
    for (int record = 0; record < records; record++) {
      bytes.position((int) layout.offset(header.variables().getFirst(), record));
      bytes.putDouble(2 * record).putDouble(2 * record + 1);
    }
    Path path = folder.resolve(name);
    Files.write(path, bytes.array());
    return path;
  }

  @Test
  void aFileIsLikeItself() throws IOException {
    long seed = TestSeed.first("ComparisonTest");
    System.out.println("ComparisonTest: -Dforebay.seed=" + seed);
    Random random = new Random(seed);
    Path path = folder.resolve("random.nc");
    for (int i = 0; i < 30; i++) {
      RandomFile.write(path, FORMATS.get(i % FORMATS.size()), RandomFile.Kind.ANY, random);
      assertThat(compare(path, path, EVERYTHING)).isEmpty();
    }
  }

  @Test
  void theFormatCountsIfAskedFor() throws IOException {
    Path a = write("a.nc", Format.CDF1, 5, "same");
    Path b = write("b.nc", Format.CDF5, 5, "same");
    assertThat(compare(a, b, EVERYTHING)).isEmpty();
    assertThat(compare(a, b, new Options(true, true, Set.of(), Tolerance.NONE)))
        .containsExactly(new Difference.Unlike("format", "CDF-1", "CDF-5"));
  }

  @Test
  void whatDiffers() throws IOException {
    Path a = write("a.nc", Format.CDF2, 3, "one");
    Path b = write("b.nc", Format.CDF2, 4, "other");
    assertThat(compare(a, b, EVERYTHING))
        .containsExactly(
            new Difference.Unlike("dimension 't'", "unlimited (3)", "unlimited (4)"),
            new Difference.Unlike("attribute ':title'", "\"one\"", "\"other\""),
            new Difference.Unlike("shape of variable 'd'", "(t 3, x 2)", "(t 4, x 2)"),
            new Difference.Unlike("shape of variable 'b'", "(t 3)", "(t 4)"));
  }

  @Test
  void elementsThatDiffer() throws IOException {
    // More than fits into one piece.
    int records = 200_000;
    Path a = write("a.nc", Format.CDF5, records, "same");
    Path b = write("b.nc", Format.CDF5, records, "same");
    byte[] bytes = Files.readAllBytes(b);
    Header header;
    try (PosixFile file = PosixFile.open(b, StandardOpenOption.READ)) {
      header = HeaderReader.read(file.asSource());
    }
    Layout layout = Layout.of(header);
    ByteBuffer changed = ByteBuffer.wrap(bytes);
    for (int record : new int[] {123_456, 199_999}) {
      int at = (int) layout.offset(header.variables().getFirst(), record) + Double.BYTES;
      changed.putDouble(at, changed.getDouble(at) + 0.25);
    }
    Files.write(b, bytes);
    assertThat(compare(a, b, EVERYTHING))
        .containsExactly(
            new Difference.Data(
                "variable 'd'", 2, 2L * records, List.of(123_456L, 1L), "246913.0", "246913.25"));
    assertThat(compare(a, b, new Options(false, true, Set.of(), new Tolerance(0.25, 0)))).isEmpty();
    assertThat(compare(a, b, new Options(false, true, Set.of(), new Tolerance(0, 1e-5)))).isEmpty();
    assertThat(compare(a, b, new Options(false, true, Set.of("b"), Tolerance.NONE))).isEmpty();
    assertThat(compare(a, b, new Options(false, false, Set.of(), Tolerance.NONE))).isEmpty();
  }

  @Test
  void numbersThatCountAsTheSame() {
    Tolerance none = Tolerance.NONE;
    assertThat(none.covers(Double.NaN, Double.NaN)).isTrue();
    assertThat(none.covers(0.0, -0.0)).isTrue();
    assertThat(none.covers(1, Math.nextUp(1.0))).isFalse();
    Tolerance wide = new Tolerance(1e9, 1);
    assertThat(wide.covers(Double.NaN, 1)).isFalse();
    assertThat(wide.covers(Double.POSITIVE_INFINITY, 1)).isFalse();
    assertThat(wide.covers(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY)).isTrue();
  }
}
