// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.ByteSize;
import io.forebay.cli.docs.ShellWords;
import io.forebay.cli.terminal.CommandFailed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a user sees: output, one-sentence complaints, exit codes. */
class CommandTest {
  private record Outcome(int exitCode, String out, String err) {}

  private static Outcome run(String... arguments) {
    return run(RootCommand.commandLine(), arguments);
  }

  private static Outcome run(CommandLine commandLine, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = commandLine.execute(arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private static Outcome runThrowing(Exception failure) {
    CommandLine commandLine = RootCommand.commandLine();
    commandLine.addSubcommand("fail", new Failing(failure));
    return run(RootCommand.withErrorHandling(commandLine, false), "fail");
  }

  @Command(name = "fail")
  private record Failing(Exception failure) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }

  @Command(name = "sized")
  private static final class Sized implements Runnable {
    @Option(names = "--budget")
    private ByteSize budget;

    @Override
    public void run() {
      throw new CommandFailed("got " + budget);
    }
  }

  @Test
  void helpNamesEveryCommand() {
    Outcome outcome = run("--help");
    assertThat(outcome.exitCode).isZero();
    assertThat(outcome.out).contains("completion", "test", "format", "build", "clean");
    assertThat(run().out).isEqualTo(outcome.out);
  }

  @Test
  void versionForPeopleAndPrograms() {
    assertThat(run("--version").out).startsWith("forebay 0.").contains("commit", "Java 2");
    assertThat(run("-V", "--json").out)
        .startsWith("{\"version\":\"0.")
        .contains("\"commit\":", "\"java\":")
        .doesNotContain("${");
  }

  @Test
  void everyCommandIsInAGroupAndHasAnExampleThatParses() {
    CommandLine root = RootCommand.commandLine();
    assertThat(CommandGroups.of(root.getSubcommands().keySet())).doesNotContainKey("Others");
    assertThat(run("--help").out).contains("Files and values:", "Servers:", "Building:");
    List<String> examples = new ArrayList<>();
    root.getSubcommands().forEach((name, each) -> collect(each, name, examples));
    assertThat(examples).hasSizeGreaterThan(40).allMatch(CommandTest::isSound);
  }

  private static void collect(CommandLine command, String path, List<String> examples) {
    String[] description = command.getCommandSpec().usageMessage().description();
    assertThat(String.join(" ", description)).as(path).endsWith(".");
    String example = Examples.of(command, path);
    if (example != null) {
      assertThat(command.getUsageMessage()).contains("Example:").contains("  forebay " + example);
      examples.add(example);
    }
    command.getSubcommands().forEach((name, each) -> collect(each, path + " " + name, examples));
  }

  private static boolean isSound(String example) {
    List<String> words = ShellWords.commands(example).getFirst();
    RootCommand.commandLine().parseArgs(words.toArray(String[]::new));
    return true;
  }

  @Test
  void completionIsAScript() {
    assertThat(run("completion").out).startsWith("#!").contains("complete -F");
  }

  @Test
  void completionOffersTheWordsOfEachOption() throws Exception {
    assertThat(completed("forebay instance create x --access "))
        .containsExactly("shared", "private", "both");
    assertThat(completed("forebay instance create x --ack "))
        .containsExactly("replicated", "forced");
    assertThat(completed("forebay instance create x --placement i")).containsExactly("isolated");
    assertThat(completed("forebay server --log-level ")).contains("error", "debug");
    assertThat(completed("forebay mount --cache ")).containsExactly("none", "auto", "writeback");
    assertThat(completed("forebay up --dir /us")).containsExactly("/usr");
    assertThat(completed("forebay ins")).containsExactly("instance");
  }

  /** What bash offers at the end of a line. */
  private static List<String> completed(String line) throws Exception {
    String quoted = "'" + String.join("' '", line.split(" ", -1)) + "'";
    String script =
        run("completion").out
            + "\nCOMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='%s'\n"
                .formatted(quoted, line)
            + "_complete_forebay; printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    Path file = Files.createTempFile("completion", ".sh");
    try {
      Files.writeString(file, script);
      Process bash = new ProcessBuilder("bash", file.toString()).start();
      String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(bash.waitFor()).isZero();
      return offered.lines().map(String::strip).filter(word -> !word.isEmpty()).toList();
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void wrongArgumentsGetOneSentence() {
    assertThat(run("--foo"))
        .isEqualTo(new Outcome(2, "", "forebay: unknown option '--foo'; see 'forebay --help'.\n"));
    assertThat(run("tst").err)
        .isEqualTo(
            "forebay: unknown command 'tst' (did you mean 'test'?); see 'forebay --help'.\n");
    assertThat(run("tst", "--help").exitCode).isEqualTo(2);
    assertThat(run("tst", "--help").err).contains("unknown command 'tst'");
    assertThat(run("instance", "made", "-h").exitCode).isEqualTo(2);
    assertThat(run("ls", "--help").exitCode).isZero();
    assertThat(run("completion", "x").err)
        .isEqualTo("forebay: unexpected argument 'x'; see 'forebay completion --help'.\n");
    assertThat(run("--json").err)
        .isEqualTo("forebay: missing required argument(s): --version; see 'forebay --help'.\n");
  }

  @Test
  void wrongValuesAreNamed() {
    CommandLine commandLine = RootCommand.commandLine();
    commandLine.addSubcommand("sized", new Sized());
    RootCommand.withErrorHandling(commandLine, false);
    assertThat(run(commandLine, "sized", "--budget", "1.5g"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "forebay: invalid value for option '--budget': '1.5g' is not a size: write a whole"
                    + " number of bytes or one with a unit, such as 64MiB; see 'forebay sized"
                    + " --help'.\n"));
    assertThat(run(commandLine, "sized", "--budget", "64m").err)
        .isEqualTo("forebay: got 64 MiB.\n");
  }

  @Test
  void failuresGetOneSentence() {
    assertThat(runThrowing(new CommandFailed("'/x' is in use; stop its user first")))
        .isEqualTo(new Outcome(1, "", "forebay: '/x' is in use; stop its user first.\n"));
    assertThat(runThrowing(new NoSuchFileException("/x")).err)
        .isEqualTo("forebay: '/x' does not exist.\n");
    assertThat(runThrowing(new UncheckedIOException(new IOException("Broken pipe"))).err)
        .isEqualTo("forebay: input or output failed: Broken pipe.\n");
    assertThat(runThrowing(new IllegalStateException("two\nlines")).err)
        .isEqualTo(
            "forebay: internal error, IllegalStateException: two lines; run again with"
                + " FOREBAY_DEBUG=1 and report the stack trace.\n");
  }

  @Test
  void namesThatALocaleCannotHoldGetOneSentence() {
    assertThat(run("log", "verify", "a\0b").exitCode).isEqualTo(2);
    assertThat(run("log", "verify", "a\0b").err)
        .contains("is not a valid file name in this locale", "set LC_ALL=C.UTF-8");
  }

  @Test
  void stackTracesAreForDebugging() {
    CommandLine commandLine = RootCommand.commandLine();
    commandLine.addSubcommand("fail", new Failing(new IllegalStateException("broken")));
    Outcome outcome = run(RootCommand.withErrorHandling(commandLine, true), "fail");
    assertThat(outcome.err).contains("IllegalStateException: broken", "  at io.forebay.cli");
  }
}
