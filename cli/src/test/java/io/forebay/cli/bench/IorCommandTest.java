// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** IOR's options, its tables, and what is refused; runs themselves are tested in the bench. */
class IorCommandTest {
  @TempDir private Path directory;

  private CommandOutcome ior(String line) {
    return CommandOutcome.run(("bench ior --dir " + directory + " " + line).split(" "));
  }

  private void refused(String line, String sentence) {
    assertThat(ior(line))
        .isEqualTo(
            new CommandOutcome(
                2, "", "forebay: " + sentence + "; see 'forebay bench ior --help'.\n"));
  }

  @Test
  void theTableIsLikeIorsAndFits() {
    CommandOutcome printed = ior("-a posix -t 16k -b 64k -s 2 -N 2 -i 2 -CweYg -r -W");
    assertThat(printed.exitCode()).isZero();
    List<String> lines = printed.out().lines().toList();
    assertThat(lines).allMatch(line -> line.length() <= 100);
    assertThat(printed.out())
        .contains("single-shared-file", "xfersize            : 16 KiB", "constant task offset = 1")
        .containsPattern("access +bw\\(MiB/s\\) +IOPS +Latency\\(s\\) +block\\(KiB\\)")
        .containsPattern("(?m)^write .* 64 +16\\.00 .* 1$")
        .containsPattern("Operation +Max\\(MiB\\) +Min\\(MiB\\) +Mean\\(MiB\\) +StdDev")
        .contains("differ from what was written: 0");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void jsonHasTheFormOfAllBenchmarksAndEveryIteration() {
    CommandOutcome printed = ior("-a posix --slow -F -z -w -t 8k -b 16k -N 2 -i 2 --json");
    Map<?, ?> report = (Map<?, ?>) JsonReader.read(printed.out());
    assertThat(report.get("bench")).isEqualTo("ior");
    assertThat((List<?>) report.get("iterations")).hasSize(2);
    assertThat((List<?>) report.get("results")).hasSize(1);
    assertThat(report.get("parameters").toString())
        .contains("slow profile", "filePerTask=true", "transferBytes=8192");
  }

  @Test
  void overForebay() {
    CommandOutcome printed = ior("-t 8k -b 16k -N 2 -wR --servers 1 --placement isolated");
    assertThat(printed.exitCode()).isZero();
    assertThat(printed.out()).contains("forebay://127.0.0.1:", "differ from what was written: 0");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aFileThatIsKeptCanBeReadLater() {
    String file = directory.resolve("file").toString();
    assertThat(ior("-a posix -w -k -o " + file).exitCode()).isZero();
    assertThat(Path.of(file)).hasSize(4 << 20);
    assertThat(ior("-a posix -R -o " + file).exitCode()).isZero();
    assertThat(ior("-a posix -w -o " + file).err()).contains("'file' exists; name another with -o");
    assertThat(ior("-a posix -R -t 128k -o " + file).exitCode()).as("other transfers").isOne();
    assertThat(Files.exists(Path.of(file))).isTrue();
  }

  @Test
  void whatCannotBeIsOneSentence() {
    refused(
        "-t 16k -b 40k",
        "block size (-b) must be a multiple of transfer size (-t): 40960 is not one of 16384");
    refused("-t 1g -b 1g", "transfer size (-t) must be at most 256 MiB");
    refused("-i 0", "number of repetitions (-i) must be from 1 to 100000");
    refused("--slow", "--slow is for -a posix");
    refused("-a slow", "-a is posix or forebay; write -a posix --slow");
    refused("-r", "without -w an existing file is read: name it with -o");
    refused("-R", "without -w an existing file is read: name it with -o");
    refused("-k", "-k needs a file that -o names");
    refused("--servers 2 --copies 3", "--copies must be from 1 to the number of servers");
    refused(
        "-a posix --servers 2",
        "--servers, --copies, --placement and --forced are for -a forebay without -o");
    refused(
        "-o forebay://127.0.0.1:1/x",
        "'forebay://127.0.0.1:1/x' names no file; write forebay://HOST:PORT/INSTANCE/PATH");
    refused("-a posix -o forebay://h/x/y", "'forebay://h/x/y' is for -a forebay");
    assertThat(ior("-t abc").err()).contains("'-t'", "'abc' is not a size");
    assertThat(ior("-a posix -r -o /nowhere/file").err())
        .isEqualTo("forebay: '/nowhere' does not exist.\n");
  }

  @Test
  void experimentsThatAreNotThere() {
    assertThat(CommandOutcome.run("bench", "experiments", "fig7").err())
        .startsWith("forebay: there is no experiment 'fig7'; there are fig5, fig6, pattern");
    assertThat(CommandOutcome.run("bench", "experiments", "--page", directory + "/none.md").err())
        .contains("none.md' does not exist");
  }
}
