// SPDX-License-Identifier: Apache-2.0

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
import org.junit.jupiter.api.Test;
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

  @Test
  void theirToolsReadAllTypes() throws IOException {
    assumeInstalled("ncdump", "netcdf-bin");
    Path path = folder.resolve("types.nc");
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile file =
              NetcdfFile.create(group, path.toString(), Format.CDF5, CreateMode.NEW, Hints.none());
          for (ElementType type : ElementType.values()) {
            file.defineVariable("v" + type.code(), type);
          }
          file.endDefine();
          for (ElementType type : ElementType.values()) {
            Values value = type == ElementType.CHAR ? Values.text("x") : Values.of(type.code());
            file.putAll(file.variable("v" + type.code()), Selection.at(), value);
          }
          file.putAll(file.variable("v7"), Selection.at(), Values.of(255));
          file.putAll(file.variable("v11"), Selection.at(), Values.of(-1L).unsigned());
          file.close();
        });
    assertThat(run("ncdump", path.toString()))
        .contains("v1 = 1 ;", "v2 = \"x\" ;", "v3 = 3 ;", "v4 = 4 ;", "v5 = 5 ;", "v6 = 6 ;")
        .contains("v7 = 255 ;", "v8 = 8 ;", "v9 = 9 ;", "v10 = 10 ;")
        .contains("v11 = 18446744073709551615 ;");
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void pythonReadsOurFiles(Format format) throws IOException {
    assumePython();
    Path path = write(format);
    Path script = folder.resolve("read.py");
    Files.writeString(
        script,
        """
        import netCDF4, sys
        file = netCDF4.Dataset(sys.argv[1])
        print(file.data_model, file.title, len(file.dimensions["time"]))
        print(file["bytes"][:2].tolist(), file["temperature"][:2].tolist())
        print(b"".join(file["label"][:].tolist()).decode(), file["late"][:].tolist())
        """);
    String kind = pythonName(format);
    assertThat(run(PYTHON, script.toString(), path.toString()))
        .contains(kind + " höher 3")
        .contains("[[10, 11, 12], [20, 21, 22]] [[0.5, 1.5, 2.5], [100.25, 101.25, 102.25]]")
        .contains("abc [0, -1, -2]");
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void weReadWhatPythonWrote(Format format) throws IOException {
    assumePython();
    Path script = folder.resolve("write.py");
    Files.writeString(
        script,
        """
        import netCDF4, sys
        file = netCDF4.Dataset(sys.argv[1], "w", format=sys.argv[2])
        file.createDimension("t", None)
        file.createDimension("x", 3)
        only = file.createVariable("only", "i1", ("t", "x"))
        only[0:3] = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
        file.createVariable("scalar", "f8", ())[...] = 2.5
        file.close()
        """);
    Path theirs = folder.resolve("python.nc");
    String kind = pythonName(format);
    run(PYTHON, script.toString(), theirs.toString(), kind);
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = NetcdfFile.open(group, theirs.toString(), OpenMode.READ, Hints.none());
          // The only variable with records, three bytes each: nothing lies between them.
          int[] only = new int[9];
          file.getAll(file.variable("only"), Selection.all(), Values.of(only));
          assertThat(only).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
          double[] scalar = new double[1];
          file.getAll(file.variable("scalar"), Selection.all(), Values.of(scalar));
          assertThat(scalar).containsExactly(2.5);
          file.close();
        });
  }

  /** The system's own: others on the path need not have the package. */
  private static final String PYTHON = "/usr/bin/python3";

  private static String pythonName(Format format) {
    return switch (format) {
      case CDF1 -> "NETCDF3_CLASSIC";
      case CDF2 -> "NETCDF3_64BIT_OFFSET";
      case CDF5 -> "NETCDF3_64BIT_DATA";
    };
  }

  private static void assumePython() throws IOException {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), PYTHON + " is not installed");
    Process process = new ProcessBuilder(PYTHON, "-c", "import netCDF4").start();
    try {
      assumeTrue(
          process.waitFor() == 0, "Python's netCDF4 is not installed (Debian: python3-netcdf4)");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
