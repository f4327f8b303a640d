// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.Tools;
import io.forebay.netcdf.cdl.RandomFile;
import io.forebay.netcdf.format.ByteSource;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.validate.Finding.Severity;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is found in files that are right and in files that are not. */
@Timeout(120)
class ValidationTest {
  private static final int FILES = Integer.getInteger("forebay.validate.files", 40);

  @TempDir Path folder;

  private static Random random() {
    long seed = TestSeed.first("ValidationTest");
    System.out.println("ValidationTest: -Dforebay.seed=" + seed);
    return new Random(seed);
  }

  private static Validation validate(byte[] bytes) throws IOException {
    return Validation.of(ByteSource.of(bytes));
  }

  /** Dimensions t (unlimited) and x of 3; variables v(x) of shorts and r(t, x) of bytes. */
  private static byte[] file() throws IOException {
    List<Dimension> dimensions = List.of(new Dimension("t", 0), new Dimension("x", 3));
    Variable v = new Variable("v", ElementType.SHORT, List.of(1), List.of(), Variable.NOWHERE);
    Variable r = new Variable("r", ElementType.BYTE, List.of(0, 1), List.of(), Variable.NOWHERE);
    Header header =
        Layout.place(new Header(Format.CDF1, 2, dimensions, List.of(), List.of(v, r)), 4);
    byte[] bytes = HeaderWriter.write(header);
    return Arrays.copyOf(bytes, (int) Layout.of(header).fileBytes(2));
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void filesThatAreRight(Format format) throws IOException {
    Random random = random();
    Path path = folder.resolve("right.nc");
    for (int i = 0; i < FILES; i++) {
      RandomFile.write(path, format, RandomFile.Kind.ANY, random);
      assertThat(validate(Files.readAllBytes(path)).findings()).isEmpty();
    }
  }

  @Test
  void whatIsWrongIsToldWithItsPlace() throws IOException {
    assertThat(validate(file()).isValid()).isTrue();
    assertThat(wrong(0, 'X'))
        .containsExactly("0: the file does not begin with CDF and a version of 1, 2 or 5");
    // The name of dimension t is at 20, its padding behind it, its length at 24.
    assertThat(wrong(21, 1))
        .containsExactly("21: the padding of the name of dimension 0 is not zero");
    assertThat(wrong(39, 0))
        .contains(
            "36: dimension 'x' is a second unlimited one",
            "108: variable 'r' has the unlimited dimension behind others");
    assertThat(wrong(11, 7))
        .containsExactly("8: the list of dimensions begins with tag 7 and not with 10");
  }

  private static List<String> wrong(int offset, int value) throws IOException {
    byte[] bytes = file();
    bytes[offset] = (byte) value;
    return validate(bytes).findings().stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .map(finding -> finding.offset() + ": " + finding.sentence())
        .toList();
  }

  @Test
  void onlyTheLastVariableMayBeLarge() throws IOException {
    Dimension x = new Dimension("x", 0x7fff_fff0L);
    List<Integer> along = List.of(0);
    Variable large = new Variable("large", ElementType.DOUBLE, along, List.of(), 400);
    Variable small = new Variable("small", ElementType.INT, List.of(), List.of(), 396);
    for (boolean last : new boolean[] {true, false}) {
      long behind = 400 + 8 * x.length();
      List<Variable> variables =
          last ? List.of(small, large) : List.of(large, small.withBegin(behind));
      Header header = new Header(Format.CDF2, 0, List.of(x), List.of(), variables);
      byte[] bytes = HeaderWriter.write(header);
      Validation validation = validate(bytes);
      assertThat(validation.isValid()).isEqualTo(last);
      assertThat(isReadable(bytes)).isEqualTo(last);
      if (last) continue;
      assertThat(validation.findings())
          .anyMatch(finding -> finding.sentence().contains("only the last variable may have more"));
    }
  }

  @Test
  void countsAreNeverToldAsNegativeNumbers() throws IOException {
    // The numbers of dimensions and attributes, those of variable v, a tag and a type.
    for (int offset : new int[] {12, 44, 52, 72, 80}) {
      for (String sentence : wrong(offset, 0x80)) {
        assertThat(sentence).doesNotContain("-");
      }
    }
  }

  @Test
  void namesMayEndWithZeros() throws IOException {
    byte[] bytes = file();
    // The name of dimension t takes four bytes, of which one counts.
    assertThat(bytes[19]).isEqualTo((byte) 1);
    bytes[19] = 3;
    assertThat(HeaderReader.read(ByteSource.of(bytes)).dimensionNamed("t")).isZero();
    Validation validation = validate(bytes);
    assertThat(validation.isValid()).isTrue();
    assertThat(validation.findings().getFirst().sentence())
        .isEqualTo("the name of dimension 0 ends with zero bytes that are counted");
  }

  @Test
  void lengths() throws IOException {
    byte[] bytes = file();
    Validation cut = validate(Arrays.copyOf(bytes, bytes.length - 4));
    assertThat(cut.isValid()).isTrue();
    assertThat(cut.findings().getFirst().severity()).isEqualTo(Severity.WARNING);
    assertThat(cut.findings().getFirst().sentence()).contains("the file ends at byte");
    Validation longer = validate(Arrays.copyOf(bytes, bytes.length + 10));
    assertThat(longer.isValid()).isTrue();
    assertThat(longer.findings().getFirst().severity()).isEqualTo(Severity.WARNING);
  }

  /** Whatever the bytes are: no exception, no large memory, and never valid if not readable. */
  @ParameterizedTest
  @EnumSource(Format.class)
  void filesThatAreWrong(Format format) throws IOException {
    boolean compare = Tools.installed("ncvalidator");
    Random random = random();
    Path path = folder.resolve("wrong.nc");
    for (int i = 0; i < FILES; i++) {
      Header header = RandomFile.write(path, format, RandomFile.Kind.ANY, random);
      byte[] bytes = Files.readAllBytes(path);
      int headerBytes = HeaderWriter.write(header).length;
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        bytes[4 + random.nextInt(headerBytes - 4)] = (byte) random.nextInt(256);
      }
      Files.write(path, bytes);
      boolean valid = validate(bytes).isValid();
      assertThat(valid && !isReadable(bytes)).as("file %d", i).isFalse();
      if (compare && valid) assertThat(theirReason(path)).as("file %d", i).isEmpty();
    }
  }

  private static boolean isReadable(byte[] bytes) throws IOException {
    try {
      HeaderReader.read(ByteSource.of(bytes));
      return true;
    } catch (NetcdfException e) {
      return false;
    }
  }

  /** Why ncvalidator does not take a file; nothing for what we warn of only. */
  private String theirReason(Path path) throws IOException {
    // It believes counts in headers, so it is not to have much memory or time.
    String limited = "ulimit -v 300000; ulimit -t 5; exec ncvalidator " + path.getFileName();
    Tools.Outcome outcome = Tools.run(folder, "sh", "-c", limited);
    String text = new String(outcome.output().toArray(), StandardCharsets.UTF_8);
    boolean onlyLonger = text.contains("is larger than expected");
    return outcome.exitCode() == 0 || onlyLonger ? "" : text;
  }
}
