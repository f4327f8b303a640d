// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/**
 * A shell as a new user has it, in a directory of its own, in which the commands of pages are run
 * one after the other. {@code forebay} there is the program that is tested.
 */
public final class Shell {
  private static final long SECONDS_MAX = 240;

  /** What virtual machines need to start quickly and to leave nothing. */
  private static final String JAVA_OPTIONS =
      "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx192m"
          + " --enable-native-access=ALL-UNNAMED";

  private final Path directory;
  private final StringBuilder script = new StringBuilder();

  /**
   * Begins a script.
   *
   * @param upOptions what a ring needs to be one that is only for this test
   * @param classes of programs that are run
   */
  public Shell(Path directory, String upOptions, Path classes) throws IOException {
    this.directory = directory;
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String classPath = System.getProperty("java.class.path");
    String program =
        "exec '%s' %s -Djava.io.tmpdir='%s' -cp '%s:%s'"
            .formatted(java, JAVA_OPTIONS, directory, classes, classPath);
    executable(
        directory.resolve("forebay"),
        """
        case $1 in
          up) shift; set -- up %s "$@" ;;
        esac
        %s io.forebay.cli.Main "$@"
        """
            .formatted(upOptions, program));
    executable(directory.resolve("run-program"), program + " \"$@\"");
    script.append(
        """
        out=$PWD/last-output
        up=
        trap '[[ -z $up ]] || { kill $up; wait $up; }' EXIT
        PATH=$PWD:$PATH
        fail() {
          echo "$1: $2"
          cat "$out"
          exit 1
        }
        """);
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, "#!/usr/bin/env bash\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Runs something that no page shows. */
  public void prepare(String text) {
    script.append(text).append('\n');
  }

  /**
   * A command as a page has it.
   *
   * @param place where it stands
   * @param refusal what it must say when it fails; empty if it must not fail
   */
  public void run(String place, String text, String refusal) {
    script.append("{ ").append(text).append("\n} >\"$out\" 2>&1 </dev/null\ncode=$?\n");
    String failed = "fail '" + place + "' \"exit code $code of: \"" + quoted(text);
    if (refusal.isEmpty()) {
      script.append("((code == 0)) || ").append(failed).append('\n');
    } else {
      script.append("((code != 0)) || ").append(failed).append('\n');
      script.append("[[ $(cat \"$out\") == ").append(quoted(refusal)).append(" ]] || ");
      script.append(failed).append('\n');
    }
  }

  /** A command that goes on until Ctrl-C. */
  public void runInBackground(String place, String text, String ready) {
    script.append("[[ -z $up ]] || fail '" + place + "' 'a second ring'\n");
    // In the place of the shell behind '&', so that it is the ring that is told to end.
    script.append(">up-output\n{ exec ").append(text);
    script.append("\n} >up-output 2>&1 </dev/null &\nup=$!\n");
    script.append("until grep -q ").append(quoted(ready)).append(" up-output; do\n");
    script.append("  kill -0 $up 2>/dev/null || { out=up-output; fail '" + place + "' ended; }\n");
    script.append("  sleep 0.1\ndone\n");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** Runs all of it; what it says if a command did not do what it should, else nothing. */
  public String end() throws IOException, InterruptedException {
    Path file = directory.resolve("script");
    Files.writeString(file, script);
    Path said = directory.resolve("script-output");
    ProcessBuilder builder =
        new ProcessBuilder("bash", file.toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("FOREBAY_"));
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      String text = Files.readString(said);
      if (!ended) return "the commands have not ended after " + SECONDS_MAX + " s: " + text;
      return process.exitValue() == 0 ? "" : "exit code " + process.exitValue() + ": " + text;
    } finally {
      // In order, so that the ring is told to end, too.
      process.destroy();
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) process.destroyForcibly();
    }
  }
}
