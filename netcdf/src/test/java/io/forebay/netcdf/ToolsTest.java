package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our files in front of the C tools, and theirs in front of us. */
@Timeout(60)
class ToolsTest {
  @TempDir Path folder;

  private static void assumeInstalled(String tool, String debianPackage) {
    boolean found =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(path -> Files.isExecutable(Path.of(path, tool)));
    assumeTrue(found, tool + " is not installed (Debian: " + debianPackage + ")");
  }

  private String run(String... command) throws IOException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(String.join(" ", command) + ": " + text).isZero();
    return text;
  }

  private Path write(Format format) throws IOException {
    Path path = folder.resolve("ours.nc");
    ThreadRanks.run(
        3,
        group -> {
          NetcdfFile file =
              NetcdfFile.create(group, path.toString(), format, CreateMode.NEW, Hints.none());
          DimensionId t = file.defineDimension("time", Dimension.UNLIMITED);
          DimensionId x = file.defineDimension("x", 3);
          VariableId bytes = file.defineVariable("bytes", ElementType.BYTE, t, x);
          VariableId temperature = file.defineVariable("temperature", ElementType.DOUBLE, t, x);
          VariableId label = file.defineVariable("label", ElementType.CHAR, x);
          file.putAttribute(Attribute.text("title", "höher"));
          file.putAttribute(temperature, Attribute.ofDoubles("range", -1.5, 100));
          file.endDefine();
          int rank = group.rank();
          Selection column = Selection.of(new long[] {0, rank}, new long[] {2, 1});
          file.putAll(bytes, column, Values.of(10 + rank, 20 + rank));
          file.putAll(temperature, column, Values.of(rank + 0.5, rank + 100.25));
          file.putAll(label, Selection.at(rank), Values.text("" + (char) ('a' + rank)));
          file.redefine();
          VariableId late = file.defineVariable("late", ElementType.SHORT, t);
          file.putAttribute(Attribute.text("history", "x".repeat(200)));
          file.endDefine();
          file.putAll(late, Selection.at(rank), Values.of(-rank));
          file.close();
        });
    return path;
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void theirToolsReadOurFiles(Format format) throws IOException {
    assumeInstalled("ncdump", "netcdf-bin");
    String text = run("ncdump", write(format).toString());
    assertThat(text)
        .contains("time = UNLIMITED ; // (3 currently)")
        .contains("temperature:range = -1.5, 100.")
        .contains(":title = \"höher\"")
        .contains("label = \"abc\"")
        .contains("10, 11, 12,\n  20, 21, 22")
        .contains("0.5, 1.5, 2.5,\n  100.25, 101.25, 102.25")
        .contains("late = 0, -1, -2");
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void theirValidatorAcceptsOurFiles(Format format) throws IOException {
    assumeInstalled("ncvalidator", "pnetcdf-bin");
    run("ncvalidator", "-q", write(format).toString());
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void weReadTheirFiles(Format format) throws IOException {
    assumeInstalled("ncgen", "netcdf-bin");
    Path cdl = folder.resolve("theirs.cdl");
    Files.writeString(
        cdl,
        """
        netcdf theirs {
        dimensions: t = UNLIMITED ; y = 2 ; x = 3 ;
        variables:
          short odd(t, x) ; odd:units = "m" ;
          float grid(y, x) ; grid:_FillValue = -1.f ;
          byte small(t) ;
        data:
          odd = 1, 2, 3, 4, 5, 6 ;
          grid = 0.5, 1.5, 2.5, 3.5, 4.5, 5.5 ;
          small = 7, 8 ;
        }
        """);
    String kind =
        format == Format.CDF1 ? "classic" : format == Format.CDF2 ? "64-bit offset" : "64-bit data";
    run("ncgen", "-k", kind, "-o", "theirs.nc", cdl.toString());
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file =
              NetcdfFile.open(
                  group, folder.resolve("theirs.nc").toString(), OpenMode.READ, Hints.none());
          Header header = file.header();
          assertThat(header.format()).isEqualTo(format);
          assertThat(header.recordCount()).isEqualTo(2);
          List<Variable> variables = header.variables();
          assertThat(variables.getFirst().attributes().getFirst().text()).isEqualTo("m");
          int[] odd = new int[6];
          file.getAll(file.variable("odd"), Selection.all(), Values.of(odd));
          assertThat(odd).containsExactly(1, 2, 3, 4, 5, 6);
          double[] grid = new double[6];
          file.getAll(file.variable("grid"), Selection.all(), Values.of(grid));
          assertThat(grid).containsExactly(0.5, 1.5, 2.5, 3.5, 4.5, 5.5);
          long[] small = new long[2];
          file.getAll(file.variable("small"), Selection.all(), Values.of(small));
          assertThat(small).containsExactly(7, 8);
          file.close();
        });
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void theirCopyOfOurFileIsTheSameFile(Format format) throws IOException {
    assumeInstalled("nccopy", "netcdf-bin");
    Path ours = write(format);
    run("nccopy", ours.toString(), "copy.nc");
    assertThat(Files.readAllBytes(folder.resolve("copy.nc"))).isEqualTo(Files.readAllBytes(ours));
  }
}
