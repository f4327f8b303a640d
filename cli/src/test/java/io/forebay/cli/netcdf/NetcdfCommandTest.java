// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.DimensionId;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.parallel.ThreadRanks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code forebay netcdf}. */
@Timeout(60)
class NetcdfCommandTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = write("a file.nc", 2.5, Hints.none());
  }

  private Path write(String name, double value, Hints hints) throws IOException {
    Path path = folder.resolve(name);
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile out =
              NetcdfFile.create(group, path.toString(), Format.CDF5, CreateMode.REPLACE, hints);
          DimensionId t = out.defineDimension("t", Dimension.UNLIMITED);
          DimensionId x = out.defineDimension("x", 2);
          VariableId v = out.defineVariable("v", ElementType.DOUBLE, t, x);
          VariableId label = out.defineVariable("label", ElementType.CHAR, x);
          VariableId coordinate = out.defineVariable("x", ElementType.INT, x);
          out.putAttribute(v, Attribute.text("units", "K"));
          out.endDefine();
          long[] start = {group.rank(), 0};
          out.putAll(v, Selection.of(start, new long[] {1, 2}), Values.of(value, Double.NaN));
          out.putAll(label, Selection.at(group.rank()), Values.text("x"));
          out.putAll(coordinate, Selection.at(group.rank()), Values.of(group.rank()));
          out.close();
        });
    return path;
  }

  /** Runs a command that writes bytes past the writer that others print with. */
  private static CommandOutcome dump(String... arguments) {
    PrintStream usual = System.out;
    ByteArrayOutputStream caught = new ByteArrayOutputStream();
    System.setOut(new PrintStream(caught, false, StandardCharsets.UTF_8));
    try {
      CommandOutcome outcome = CommandOutcome.run(arguments);
      System.out.flush();
      String text = caught.toString(StandardCharsets.UTF_8);
      return new CommandOutcome(outcome.exitCode(), text, outcome.err());
    } finally {
      System.setOut(usual);
    }
  }

  @Test
  void dumpWritesCdl() {
    String header =
        """
        netcdf a\\ file {
        dimensions:
        \tt = UNLIMITED ; // (2 currently)
        \tx = 2 ;
        variables:
        \tdouble v(t, x) ;
        \t\tv:units = "K" ;
        \tchar label(x) ;
        \tint x(x) ;
        """;
    String v = "\n v =\n  2.5, NaN,\n  2.5, NaN ;\n";
    String label = "\n label = \"xx\" ;\n";
    String x = "\n x = 0, 1 ;\n";
    String name = file.toString();
    assertThat(dump("netcdf", "dump", name))
        .isEqualTo(new CommandOutcome(0, header + "data:\n" + v + label + x + "}\n", ""));
    assertThat(dump("netcdf", "dump", "-h", name).out()).isEqualTo(header + "}\n");
    assertThat(dump("netcdf", "dump", "-c", name).out()).isEqualTo(header + "data:\n" + x + "}\n");
    assertThat(dump("netcdf", "dump", name, "-v", "x,label").out())
        .isEqualTo(header + "data:\n" + label + x + "}\n");
    assertThat(dump("netcdf", "dump", "-n", "q", "-h", name).out()).startsWith("netcdf q {");
  }

  @Test
  void dumpWritesJson() {
    Map<?, ?> json =
        (Map<?, ?>) JsonReader.read(dump("netcdf", "dump", "--json", file.toString()).out());
    assertThat(json.get("format")).isEqualTo("CDF-5");
    Map<?, ?> data = (Map<?, ?>) json.get("data");
    assertThat(data.get("v").toString()).isEqualTo("[[2.5, NaN], [2.5, NaN]]");
    assertThat(data.get("label")).isEqualTo("xx");
    assertThat(data.get("x").toString()).contains("0").contains("1");
  }

  @Test
  void validateTellsWhatIsWrong() throws IOException {
    CommandOutcome right = CommandOutcome.run("netcdf", "validate", file.toString());
    assertThat(right.exitCode()).isZero();
    assertThat(right.out()).contains("is valid: CDF-5");
    Path cut = folder.resolve("cut.nc");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - 8));
    CommandOutcome shorter = CommandOutcome.run("netcdf", "validate", cut.toString());
    assertThat(shorter.exitCode()).isZero();
    assertThat(shorter.out()).contains("warning at byte " + (bytes.length - 8) + ": the file ends");
    Files.write(cut, Arrays.copyOf(bytes, 30));
    CommandOutcome both =
        CommandOutcome.run("netcdf", "validate", cut.toString(), file.toString(), "nowhere.nc");
    assertThat(both.exitCode()).isEqualTo(1);
    assertThat(both.out())
        .contains("cut.nc' is not valid\n  error at byte ")
        .contains("is valid: CDF-5")
        .contains("'nowhere.nc' does not exist; name a netCDF file");
    List<?> json =
        (List<?>)
            JsonReader.read(
                CommandOutcome.run("netcdf", "validate", "--json", cut.toString()).out());
    assertThat(((Map<?, ?>) json.getFirst()).get("valid")).isEqualTo(false);
  }

  @Test
  void diffTellsHowFilesDiffer() throws IOException {
    String a = file.toString();
    String b = write("b.nc", 3.5, Hints.none()).toString();
    assertThat(CommandOutcome.run("netcdf", "diff", a, a))
        .isEqualTo(new CommandOutcome(0, "the same\n", ""));
    assertThat(CommandOutcome.run("netcdf", "diff", a, b))
        .isEqualTo(
            new CommandOutcome(
                1,
                """
                variable 'v': 2 of 4 elements differ, the first at [0, 0]: 2.5 and 3.5
                1 difference
                """,
                ""));
    assertThat(CommandOutcome.run("netcdf", "diff", "-h", a, b).exitCode()).isZero();
    assertThat(CommandOutcome.run("netcdf", "diff", "-v", "x", a, b).exitCode()).isZero();
    assertThat(CommandOutcome.run("netcdf", "diff", "-t", "1", a, b).exitCode()).isZero();
    assertThat(CommandOutcome.run("netcdf", "diff", "-t", "x", a, b).exitCode()).isEqualTo(2);
    CommandOutcome missing = CommandOutcome.run("netcdf", "diff", a, "nowhere.nc");
    assertThat(missing)
        .isEqualTo(
            new CommandOutcome(
                2, "", "forebay: 'nowhere.nc' does not exist; name a netCDF file.\n"));
    Map<?, ?> json =
        (Map<?, ?>) JsonReader.read(CommandOutcome.run("netcdf", "diff", "--json", a, b).out());
    assertThat(json.get("same")).isEqualTo(false);
  }

  /** What a program that is killed leaves: its logs as they are before they reach the file. */
  private Path leftLogs(Path path) throws IOException {
    Path used = Files.createDirectories(folder.resolve("used"));
    Path left = Files.createDirectories(folder.resolve("left"));
    Hints hints = Hints.parse("burst_buffer=enable;burst_buffer_dir=" + used);
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile out =
              NetcdfFile.create(group, path.toString(), Format.CDF2, CreateMode.REPLACE, hints);
          DimensionId x = out.defineDimension("x", 4);
          VariableId v = out.defineVariable("v", ElementType.INT, x);
          out.endDefine();
          out.putAll(v, Selection.all(), Values.of(1, 2, 3, 4));
          out.putAll(v, Selection.of(new long[] {1}, new long[] {2}), Values.of(7.0, 8.0));
          inUse(path, used);
          byte[] before = Files.readAllBytes(path);
          FileTime modified = Files.getLastModifiedTime(path);
          try (DirectoryStream<Path> logs = Files.newDirectoryStream(used)) {
            for (Path log : logs) Files.copy(log, left.resolve(log.getFileName()));
          }
          out.close();
          Files.copy(path, folder.resolve("whole.nc"));
          Files.write(path, before);
          Files.setLastModifiedTime(path, modified);
        });
    return left;
  }

  private static void inUse(Path path, Path used) {
    assertThat(CommandOutcome.run("netcdf", "log", used.toString()).out()).contains("in use");
    String[] recover = {"netcdf", "recover", path.toString(), "--log-dir", used.toString()};
    CommandOutcome refused = CommandOutcome.run(recover);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("is in use by a program");
  }

  @Test
  void logsAreShownAndRecovered() throws IOException {
    Path path = folder.resolve("killed.nc");
    String left = leftLogs(path).toString();
    CommandOutcome log =
        CommandOutcome.run("netcdf", "log", path.toString(), "--log-dir", left, "--data");
    assertThat(log.exitCode()).isZero();
    assertThat(log.out())
        .contains("rank  0 of 1")
        .contains("left by a program that has ended")
        .containsPattern("v +int +\\[0:4\\] +1 +16 B +sound")
        .containsPattern("v +double +\\[1:2\\] +3 +16 B +sound")
        .contains("v [1:2] =\n  7.0, 8.0\n")
        .endsWith("2 writes of 32 B in logs of 1 rank\n");
    Map<?, ?> json =
        (Map<?, ?>) JsonReader.read(CommandOutcome.run("netcdf", "log", left, "--json").out());
    assertThat(json.get("dataBytes").toString()).startsWith("32");
    String[] recover = {"netcdf", "recover", path.toString(), "--log-dir", left};
    String[] tried = Arrays.copyOf(recover, recover.length + 1);
    tried[recover.length] = "--dry-run";
    assertThat(CommandOutcome.run(tried).out())
        .isEqualTo("would bring 2 writes of 32 B from the logs of 1 rank into '" + path + "'\n");
    String whole = folder.resolve("whole.nc").toString();
    assertThat(CommandOutcome.run("netcdf", "diff", whole, path.toString()).exitCode()).isNotZero();
    assertThat(CommandOutcome.run(recover))
        .isEqualTo(
            new CommandOutcome(
                0, "brought 2 writes of 32 B from the logs of 1 rank into '" + path + "'\n", ""));
    assertThat(CommandOutcome.run("netcdf", "diff", whole, path.toString()).exitCode()).isZero();
    assertThat(CommandOutcome.run(recover).out()).contains("nothing to recover");
    assertThat(CommandOutcome.run("netcdf", "log", path.toString()).out()).isEqualTo("no logs\n");
  }

  @Test
  void logsOfAFileThatAnotherProgramHasChangedAreRefused() throws IOException {
    Path path = folder.resolve("killed.nc");
    String left = leftLogs(path).toString();
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().plusSeconds(60)));
    byte[] before = Files.readAllBytes(path);
    String[] recover = {"netcdf", "recover", path.toString(), "--log-dir", left, "--json"};
    CommandOutcome refused = CommandOutcome.run(recover);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("another program changed it at").contains("--discard");
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
    assertThat(CommandOutcome.run("netcdf", "log", left).out()).contains("does not match the file");
    recover[5] = "--force";
    CommandOutcome forced = CommandOutcome.run(recover);
    assertThat(forced.out()).contains("brought 2 writes");
    assertThat(Files.readAllBytes(path)).isNotEqualTo(before);
  }

  @Test
  void logsAreDiscarded() throws IOException {
    Path path = folder.resolve("killed.nc");
    String left = leftLogs(path).toString();
    byte[] before = Files.readAllBytes(path);
    String[] discard = {"netcdf", "recover", path.toString(), "--log-dir", left, "--discard"};
    assertThat(CommandOutcome.run(discard).out())
        .isEqualTo("removed 1 log of '%s' from '%s'\n".formatted(path, left));
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
    assertThat(CommandOutcome.run(discard).out()).contains("nothing to discard");
    String[] both = Arrays.copyOf(discard, discard.length + 1);
    both[discard.length] = "--force";
    assertThat(CommandOutcome.run(both).exitCode()).isEqualTo(2);
  }

  @Test
  void damagedWritesAreToldAndLeftOut() throws IOException {
    Path path = folder.resolve("killed.nc");
    Path left = leftLogs(path);
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(left, "*.data")) {
      for (Path data : logs) {
        byte[] bytes = Files.readAllBytes(data);
        bytes[0] ^= 1;
        Files.write(data, bytes);
      }
    }
    CommandOutcome log = CommandOutcome.run("netcdf", "log", left.toString());
    assertThat(log.exitCode()).isEqualTo(1);
    assertThat(log.out()).contains("damaged").endsWith("in logs of 1 rank, 1 damaged\n");
    CommandOutcome recovered =
        CommandOutcome.run("netcdf", "recover", path.toString(), "--log-dir", left.toString());
    assertThat(recovered.exitCode()).isEqualTo(1);
    assertThat(recovered.out())
        .contains("brought 1 write of 16 B")
        .contains("1 write is damaged and was left out; the logs are kept as '.damaged'");
    assertThat(dump("netcdf", "dump", path.toString()).out()).contains("v = 0, 7, 8, 0 ;");
  }

  @Test
  void whatCannotBeReadIsToldInASentence() throws IOException {
    assertThat(dump("netcdf", "dump", folder.toString()).err()).contains("is a directory; name a");
    Path other = folder.resolve("other");
    Files.writeString(other, "hello, this is no netCDF file");
    assertThat(dump("netcdf", "dump", other.toString()).err()).contains("not a netCDF file");
    Files.write(other, new byte[0]);
    assertThat(dump("netcdf", "dump", other.toString()).err()).contains("is empty");
    Files.write(other, new byte[] {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 0, 0});
    assertThat(dump("netcdf", "dump", other.toString()).err()).contains("nccopy -k cdf5 ");
    assertThat(dump("netcdf", "dump", "-v", "q", file.toString()).err())
        .contains("has no variable 'q'; it has v, label, x");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(other, Arrays.copyOf(bytes, bytes.length - 8));
    CommandOutcome cut = dump("netcdf", "dump", other.toString());
    assertThat(cut.exitCode()).isZero();
    assertThat(cut.err()).contains("what is missing is read as zeros");
    Files.write(other, Arrays.copyOf(bytes, 30));
    cut = dump("netcdf", "dump", other.toString());
    assertThat(cut.exitCode()).isEqualTo(1);
    assertThat(cut.err()).contains("the file ends within").contains("validate");
    assertThat(CommandOutcome.run("netcdf").err()).contains("missing command");
    assertThat(dump("netcdf", "dump", "-p", "x", "f").exitCode()).isEqualTo(2);
    assertThat(dump("netcdf", "dump", "--help").exitCode()).isZero();
  }
}
