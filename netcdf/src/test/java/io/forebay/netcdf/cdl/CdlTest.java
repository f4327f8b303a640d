// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.Tools;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.PosixFile;
import io.forebay.testing.TestSeed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files as text, next to what ncdump prints. */
@Timeout(120)
class CdlTest {
  private static final int FILES = Integer.getInteger("forebay.cdl.files", 25);

  @TempDir Path folder;

  private static byte[] dump(Path path, CdlOptions options) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PosixFile file = PosixFile.open(path, StandardOpenOption.READ)) {
      Header header = HeaderReader.read(file.asSource());
      CdlWriter.write(file, header, options, text, done -> {});
    }
    return text.toByteArray();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void theSameTextAsTheirs(Format format) throws IOException {
    Tools.assumeInstalled("ncdump");
    Path path = folder.resolve("random file.nc");
    Random random = random();
    for (int i = 0; i < FILES; i++) {
      RandomFile.write(path, format, RandomFile.Kind.ANY, random);
      Tools.Outcome theirs = Tools.run(folder, "ncdump", path.toString());
      assertThat(theirs.exitCode()).as(text(theirs.output().toArray())).isZero();
      assertThat(text(dump(path, CdlOptions.all(CdlWriter.nameOf(path.toString())))))
          .as("file %d", i)
          .isEqualTo(text(theirs.output().toArray()));
    }
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void theSameFileFromOurText(Format format) throws IOException {
    Tools.assumeInstalled("ncgen");
    Path path = folder.resolve("random.nc");
    Path cdl = folder.resolve("random.cdl");
    Path again = folder.resolve("again.nc");
    String kind = Integer.toString(format.version());
    Random random = random();
    for (int i = 0; i < FILES; i++) {
      RandomFile.write(path, format, RandomFile.Kind.REVERSIBLE, random);
      CdlOptions exact = CdlOptions.all("again").with(CdlOptions.Precision.EXACT);
      Files.write(cdl, dump(path, exact));
      Tools.Outcome made =
          Tools.run(folder, "ncgen", "-k", kind, "-o", again.toString(), cdl.toString());
      assertThat(made.exitCode()).as(text(made.output().toArray())).isZero();
      assertThat(text(Files.readAllBytes(again)))
          .as("file %d: %s", i, text(Files.readAllBytes(cdl)))
          .isEqualTo(text(Files.readAllBytes(path)));
    }
  }

  private static Random random() {
    long seed = TestSeed.first("CdlTest");
    System.out.println("CdlTest: -Dforebay.seed=" + seed);
    return new Random(seed);
  }

  @Test
  void formatsOfC() {
    assertThat(CFormat.of("%6.2f|").fraction(-4.555)).isEqualTo(" -4.55|");
    assertThat(CFormat.of("%-8.3e|").fraction(12345)).isEqualTo("1.234e+04|");
    assertThat(CFormat.of("%08.1f").fraction(-2.25)).isEqualTo("-00002.2");
    assertThat(CFormat.of("%+g").fraction(0)).isEqualTo("+0");
    assertThat(CFormat.of("%#.4g").fraction(1)).isEqualTo("1.000");
    assertThat(CFormat.of("%.3g").fraction(9999)).isEqualTo("1e+04");
    assertThat(CFormat.of("%.17g").fraction(0.1)).isEqualTo("0.10000000000000001");
    assertThat(CFormat.of("%.15g").fraction(Double.MIN_VALUE)).isEqualTo("4.94065645841247e-324");
    assertThat(CFormat.of("%.1g").fraction(0.25)).isEqualTo("0.2");
    assertThat(CFormat.of("100%% %.0f").fraction(2.5)).isEqualTo("100% 2");
    assertThat(CFormat.of("%08x").integer(-1, false, 4)).isEqualTo("ffffffff");
    assertThat(CFormat.of("%5d").integer(-3, false, 2)).isEqualTo("   -3");
    assertThat(CFormat.of("%u").integer(-1, true, 8)).isEqualTo("18446744073709551615");
    assertThat(CFormat.of("%#o").integer(8, false, 4)).isEqualTo("010");
    assertThat(CFormat.parse("%s")).isNull();
    assertThat(CFormat.parse("%d %d")).isNull();
    assertThat(CFormat.parse("none")).isNull();
  }

  /** As ncdump 4.9 writes them: a blank where a word of CDL would begin a section. */
  @Test
  void namesThatAreWordsOfCdl() throws IOException {
    List<Variable> variables = new ArrayList<>();
    for (String name :
        List.of("data", "dimensions", "variables", "group", "types", "int", "DATA")) {
      List<Attribute> units = List.of(Attribute.text("units", "m"));
      variables.add(new Variable(name, ElementType.INT, List.of(), units, Variable.NOWHERE));
    }
    Header header = new Header(Format.CDF1, 0, List.of(), List.of(), variables);
    Path path = folder.resolve("words.nc");
    Files.write(path, HeaderWriter.write(Layout.place(header, 1)));
    String text = text(dump(path, CdlOptions.all("words")));
    for (String word : List.of("data", "dimensions", "variables", "group", "types")) {
      assertThat(text).contains("\t\t" + word + " :units = \"m\" ;\n");
    }
    assertThat(text).contains("\t\tint:units").contains("\t\tDATA:units");
    if (!Tools.installed("ncdump")) return;
    assertThat(text).isEqualTo(text(Tools.run(folder, "ncdump", "words.nc").output().toArray()));
  }

  @Test
  void namesOfFiles() {
    assertThat(CdlWriter.nameOf("/a.b/c.d.nc")).isEqualTo("c.d");
    assertThat(CdlWriter.nameOf("plain")).isEqualTo("plain");
    assertThat(CdlText.name("7 of x:y")).isEqualTo("\\7\\ of\\ x\\:y");
  }
}
