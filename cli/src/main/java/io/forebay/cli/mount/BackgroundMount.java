// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.WarningLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Starts this command again as a separate process, and waits until that has mounted, or has
 * reported why it cannot.
 */
final class BackgroundMount {
  static final String HOW_TO_END = "; Ctrl-C or 'forebay umount %s' ends it";

  private static final Set<String> FLAGS = Set.of("-b", "--background");
  private static final String LOG = "--log";
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final String COMPLAINT = "forebay: ";

  /** In a session of its own no terminal ends it. */
  private static final Path SET_SESSION = Path.of("/usr/bin/setsid");

  private BackgroundMount() {}

  /**
   * Returns the line that says that it is mounted.
   *
   * @param log gets what the mount says on standard error
   * @param err gets the warnings of the mount, and what libfuse says if it fails
   */
  static String start(MountLog log, PrintWriter err) throws IOException {
    Process process =
        new ProcessBuilder(command())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.file().toFile()))
            .start();
    // Not closed: the mount would end at its next write to the pipe.
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("mounted ")) {
        for (String each : log.lines()) if (each.startsWith(WarningLines.BEGIN)) err.println(each);
        err.flush();
        return line.replace("Ctrl-C or ", "") + "; its log is '" + log.file() + "'";
      }
    }
    throw new CommandFailed(sentence(log.lines(), err));
  }

  private static String sentence(List<String> lines, PrintWriter err) {
    for (int i = 0; i < lines.size(); i++) {
      boolean complaint =
          lines.get(i).startsWith(COMPLAINT) && !lines.get(i).startsWith(WarningLines.BEGIN);
      if (!complaint) continue;
      for (String above : lines.subList(0, i)) err.println(above);
      return lines.get(i).substring(COMPLAINT.length());
    }
    return "the mount ended at once" + (lines.isEmpty() ? "" : ": " + String.join(" ", lines));
  }

  /** The command line of this process, with the option to stay in the foreground. */
  private static List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SET_SESSION)) command.add(SET_SESSION.toString());
    String whole = Files.readString(COMMAND_LINE, StandardCharsets.UTF_8);
    boolean logFollows = false;
    for (String word : whole.split("\0", -1)) {
      boolean passedOn =
          !logFollows && !FLAGS.contains(word) && !word.equals(LOG) && !word.startsWith(LOG + "=");
      if (passedOn) command.add(word);
      logFollows = word.equals(LOG);
    }
    // The table ends with a zero too.
    if (command.getLast().isEmpty()) command.removeLast();
    return command;
  }
}
