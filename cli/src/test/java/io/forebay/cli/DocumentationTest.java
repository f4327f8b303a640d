// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.docs.Page;
import io.forebay.cli.docs.Shell;
import io.forebay.cli.docs.ShellWords;
import io.forebay.cli.docs.Snippets;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/**
 * README and the pages below docs are executed: their programs are compiled, and run if they can
 * be; their commands are run in order, as a new user would, against one ring that README brings up;
 * and the commands that cannot be run at least have options that exist. See {@link Page} for how
 * blocks are marked.
 */
@Timeout(300)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the commands are for bash")
class DocumentationTest {
  private static final Path ROOT = Path.of("..");
  private static final String README = "README.md";

  /** What stays in the foreground until Ctrl-C. */
  private static final Pattern UP = Pattern.compile("(\\./)?forebay up\\b.*");

  private static final String UP_READY = "Forebay is up";

  /** What the ring of all pages may drain to, as README says it; other pages name more. */
  private static final String README_ROOT = "--backing-root \"$PWD/storage\"";

  /** What the launcher script does by itself, with options of its own. */
  private static final Set<String> OF_LAUNCHER = Set.of("test", "format", "build", "clean");

  /** A name in a page that stands for any. */
  private static final Pattern ELLIPSIS = Pattern.compile(".*(…|\\.\\.\\.|\\[).*");

  @TempDir private Path temporary;

  private static List<Page> pages() throws IOException {
    List<Page> pages = new ArrayList<>();
    pages.add(Page.read(ROOT, README));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(n -> n.endsWith(".md"))
              .sorted()
              .toList();
      for (String name : names) pages.add(Page.read(ROOT, "docs/" + name));
    }
    return pages;
  }

  @Test
  void whatPagesShowWorks() throws Exception {
    Path checkout = Files.createDirectories(temporary.resolve("checkout"));
    Path site = Files.createDirectories(temporary.resolve("site"));
    String port = ":" + freePort();
    // All that a page cannot know: which port is free, and where a site has its file systems.
    Snippets.Shown here =
        text ->
            text.replace(":7070", port)
                .replace("/lustre/", site + "/lustre/")
                .replace(README_ROOT, README_ROOT + "," + site);
    Snippets snippets = new Snippets(temporary.resolve("programs"), here);
    List<Page> pages = pages();
    List<Snippets.Snippet> programs = snippets.compile(pages);
    Shell shell =
        new Shell(
            checkout,
            "--listen 127.0.0.1%s --memory 64MiB --ssd 128MiB --segment 4MiB".formatted(port),
            snippets.classes());
    Files.copy(ROOT.resolve(README), checkout.resolve(README));
    prepare(site);
    for (Page page : pages) {
      boolean first = page.name().equals(README);
      if (!first && !isRun(page, programs)) continue;
      // Each page for itself, but for the ring.
      if (!first) {
        shell.prepare("mkdir -p page/results && cd page && echo some >results/some");
        shell.prepare("export FOREBAY_URI=forebay://127.0.0.1" + port + "/default");
      }
      for (Page.Block block : page.blocks()) addBlock(shell, page, block, programs, here);
      shell.prepare(first ? "" : "cd .. && rm -r page");
    }
    assertThat(shell.end()).isEmpty();
    assertThat(ProcessHandle.allProcesses().filter(this::isOfThisTest)).isEmpty();
  }

  private boolean isOfThisTest(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(temporary.toString());
  }

  private static boolean isRun(Page page, List<Snippets.Snippet> programs) {
    return page.blocks().stream().anyMatch(Page.Block::isRun)
        || programs.stream().anyMatch(program -> program.page().equals(page) && program.hasMain());
  }

  private static void addBlock(
      Shell shell,
      Page page,
      Page.Block block,
      List<Snippets.Snippet> programs,
      Snippets.Shown here) {
    for (Snippets.Snippet program : programs) {
      if (program.block().equals(block) && program.hasMain()) {
        shell.run(program.place(), "run-program " + program.name(), "");
      }
    }
    if (!block.isRun()) return;
    for (Page.Command command : block.commands()) {
      String place = page.name() + ":" + command.line();
      String text = here.here(command.text());
      if (UP.matcher(text).matches()) shell.runInBackground(place, text, UP_READY);
      else shell.run(place, text, command.refusal());
    }
  }

  /** The file systems that pages name. */
  private static void prepare(Path site) throws IOException {
    Files.createDirectories(site.resolve("lustre/scratch"));
    Path project = Files.createDirectories(site.resolve("lustre/project"));
    Files.writeString(project.resolve("found"), "something");
  }

  @Test
  void commandsOfPagesHaveOptionsThatExist() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Page page : pages()) {
      for (Page.Block block : page.blocks()) {
        if (block.isJava()) continue;
        for (Page.Command command : block.commands()) {
          for (List<String> words : ShellWords.commands(command.text())) {
            String why = wrongWith(words);
            if (!why.isEmpty()) wrong.add(page.name() + ":" + command.line() + ": " + why);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Empty if nothing is, or if it is not a command of this program. */
  private static String wrongWith(List<String> words) {
    String program = words.getFirst();
    if (!program.equals("forebay") && !program.equals("./forebay")) return "";
    List<String> arguments = words.subList(1, words.size());
    if (arguments.isEmpty() || OF_LAUNCHER.contains(arguments.getFirst())) return "";
    if (arguments.stream().anyMatch(word -> ELLIPSIS.matcher(word).matches())) return "";
    try {
      RootCommand.commandLine().parseArgs(arguments.toArray(String[]::new));
      return "";
    } catch (ParameterException e) {
      return e.getMessage();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }
}
