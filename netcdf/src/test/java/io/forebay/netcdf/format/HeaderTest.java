// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeaderTest {
  /** The example of the format's specification: one dimension and one variable, CDF-1. */
  private static final String EXAMPLE =
      "43444601 00000000 0000000a00000001 00000003 64696d00 00000005 0000000000000000"
          + " 0000000b00000001 00000002 76780000 00000001 00000000 0000000000000000"
          + " 00000003 0000000c 00000050";

  @Test
  void theSpecificationsExampleIsReadAndWritten() throws IOException {
    byte[] bytes = HexFormat.of().parseHex(EXAMPLE.replace(" ", ""));
    Header header = HeaderReader.read(ByteSource.of(bytes));
    assertThat(header.dimensions()).containsExactly(new Dimension("dim", 5));
    Variable variable = header.variables().getFirst();
    assertThat(variable.name()).isEqualTo("vx");
    assertThat(variable.type()).isEqualTo(ElementType.SHORT);
    assertThat(variable.begin()).isEqualTo(bytes.length);
    assertThat(HeaderWriter.write(header)).isEqualTo(bytes);
    Header unplaced = header.withVariables(List.of(variable.withBegin(Variable.NOWHERE)));
    assertThat(Layout.place(unplaced, 1)).isEqualTo(header);
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void whatIsWrittenIsRead(Format format) throws IOException {
    Header header = example(format);
    byte[] bytes = HeaderWriter.write(header);
    assertThat(HeaderReader.read(ByteSource.of(bytes))).isEqualTo(header);
    assertThat(bytes.length % 4).isZero();
  }

  static Header example(Format format) throws NetcdfException {
    List<Dimension> dimensions =
        List.of(new Dimension("zeit", 0), new Dimension("höhe", 3), new Dimension("x", 7));
    List<Attribute> attributes =
        List.of(Attribute.text("title", "abcde"), Attribute.ofDoubles("limits", -1.5, 2));
    List<Variable> variables = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      if (!type.existsIn(format)) continue;
      variables.add(
          new Variable(
              "f" + type.code(), type, List.of(1, 2), List.of(Attribute.ofInts("n", 1)), -1));
      variables.add(new Variable("r" + type.code(), type, List.of(0, 2), List.of(), -1));
    }
    return Layout.place(new Header(format, 4, dimensions, attributes, variables), 512);
  }

  @Test
  void dimensionsBeyondTheSignOfTheirField() throws IOException {
    List<Dimension> dimensions = List.of(new Dimension("x", 3_000_000_000L));
    Variable variable = new Variable("v", ElementType.BYTE, List.of(0), List.of(), -1);
    Header header =
        Layout.place(new Header(Format.CDF2, 0, dimensions, List.of(), List.of(variable)), 4);
    byte[] bytes = HeaderWriter.write(header);
    assertThat(HeaderReader.read(ByteSource.of(bytes))).isEqualTo(header);
  }

  @Test
  void recordsFollowOneAnother() throws NetcdfException {
    Header header = example(Format.CDF2);
    Layout layout = Layout.of(header);
    // Seven elements each, padded: byte, char, short, int, float, double.
    assertThat(layout.recordBytes()).isEqualTo(8 + 8 + 16 + 28 + 28 + 56);
    Variable first = header.variables().get(header.variableNamed("r1"));
    Variable second = header.variables().get(header.variableNamed("r2"));
    assertThat(second.begin() - first.begin()).isEqualTo(8);
    assertThat(layout.offset(second, 2) - layout.offset(second, 0))
        .isEqualTo(2 * layout.recordBytes());
    assertThat(header.variables().getFirst().begin() % 512).isZero();
  }

  @Test
  void aSingleRecordVariableHasNoPadding() throws NetcdfException {
    List<Dimension> dimensions = List.of(new Dimension("t", 0), new Dimension("x", 3));
    Variable only = new Variable("v", ElementType.BYTE, List.of(0, 1), List.of(), -1);
    Header header = new Header(Format.CDF1, 5, dimensions, List.of(), List.of(only));
    assertThat(Layout.of(Layout.place(header, 1)).recordBytes()).isEqualTo(3);
  }

  @Test
  void largeVariablesAreAllowedWhereTheFormatAllowsThem() throws NetcdfException {
    List<Dimension> dimensions = List.of(new Dimension("x", 1 << 20), new Dimension("y", 5000));
    Variable large = new Variable("large", ElementType.DOUBLE, List.of(1, 0), List.of(), -1);
    Variable small = new Variable("small", ElementType.DOUBLE, List.of(1), List.of(), -1);
    for (Format format : Format.values()) {
      Header last = new Header(format, 0, dimensions, List.of(), List.of(small, large));
      assertThat(Layout.place(last, 1).variables().get(1).begin()).isPositive();
      Header first = new Header(format, 0, dimensions, List.of(), List.of(large, small));
      if (format == Format.CDF5) {
        Variable behind = Layout.place(first, 1).variables().get(1);
        assertThat(behind.begin()).isGreaterThan(5000L << 23);
      } else {
        assertThatThrownBy(() -> Layout.place(first, 1))
            .isInstanceOfSatisfying(
                NetcdfException.class, e -> assertThat(e.error()).isEqualTo(NetcdfError.TOO_LARGE));
      }
    }
  }

  @Test
  void absurdSizesAreAnErrorAndTakeNoMemory() {
    // A header that promises two billion attributes, dimensions, or a name of that length.
    for (String tail : new String[] {"0000000a7fffffff", "00000000000000000000000c7ffffff0"}) {
      byte[] bytes = HexFormat.of().parseHex("4344460100000000" + tail + "00000001");
      assertThatThrownBy(() -> HeaderReader.read(ByteSource.of(bytes)))
          .isInstanceOf(NetcdfException.class);
    }
    // The same in a file that claims to be as long as that: it is not read that far.
    byte[] start = HexFormat.of().parseHex("4344460500000000000000000000000a0000000000000001");
    ByteSource endless =
        new ByteSource() {
          @Override
          public long size() {
            return 1L << 50;
          }

          @Override
          public void read(ByteBuffer target, long offset) {
            for (long at = offset; target.hasRemaining(); at++) {
              target.put(at < start.length ? start[(int) at] : (byte) 0x01);
            }
          }
        };
    assertThatThrownBy(() -> HeaderReader.read(endless)).isInstanceOf(NetcdfException.class);
  }

  @Test
  void damagedHeadersAreErrorsOfTheRightType() throws IOException {
    long seed = TestSeed.first("HeaderTest");
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 3_000; run++) {
      byte[] bytes = HeaderWriter.write(example(List.of(Format.values()).get(random.nextInt(3))));
      int changes = 1 + random.nextInt(4);
      for (int i = 0; i < changes; i++) {
        bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt(-2, 13);
      }
      if (random.nextInt(3) == 0)
        bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
      try {
        Header header = HeaderReader.read(ByteSource.of(bytes));
        assertThat(Layout.of(header).fileBytes(0)).isPositive();
      } catch (NetcdfException e) {
        assertThat(e.error()).isIn(NetcdfError.MALFORMED, NetcdfError.TRUNCATED);
      } catch (RuntimeException e) {
        throw new AssertionError("failed with -Dforebay.seed=" + seed, e);
      }
    }
  }

  @Test
  void netcdf4IsToldApart() {
    byte[] bytes = HexFormat.of().parseHex("894844460d0a1a0a0000000000000000");
    assertThatThrownBy(() -> HeaderReader.read(ByteSource.of(bytes))).hasMessageContaining("HDF5");
  }

  @Test
  void namesAreChecked() throws NetcdfException {
    assertThat(Names.checked("é_1 a")).isEqualTo("é_1 a");
    for (String bad : new String[] {"", "a/b", " a", "a ", "-a", "a\nb", "x".repeat(257)}) {
      assertThatThrownBy(() -> Names.checked(bad)).isInstanceOf(NetcdfException.class);
    }
  }
}
