// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of others that read our files. */
public final class Judges {
  /** The system's own: others on the path need not have the packages. */
  private static final String PYTHON = "/usr/bin/python3";

  private static final int SECONDS_MAX = 60;

  private final Path folder;

  public Judges(Path folder) {
    this.folder = folder;
  }

  public static void assumeLibrary() {
    Netcdf4File.problem().ifPresent(problem -> assumeTrue(false, problem));
  }

  public static void assumeInstalled(String tool, String debianPackage) {
    boolean found =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(path -> Files.isExecutable(Path.of(path, tool)));
    assumeTrue(found, tool + " is not installed: apt-get install " + debianPackage);
  }

  public static void assumePython(String module, String debianPackage) throws IOException {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), PYTHON + " is not installed");
    Process process = new ProcessBuilder(PYTHON, "-c", "import " + module).start();
    assumeTrue(
        exitCode(process) == 0,
        "Python's " + module + " is not installed: apt-get install " + debianPackage);
  }

  /** What ncdump prints of a file, without the file's own name. */
  public String dump(Path file, String... options) throws IOException {
    List<String> command =
        Stream.of(Stream.of("ncdump", "-n", "name"), Stream.of(options), Stream.of(file.toString()))
            .flatMap(part -> part)
            .toList();
    return run(command);
  }

  public String h5dump(Path file, String... options) throws IOException {
    return run(
        Stream.of(Stream.of("h5dump"), Stream.of(options), Stream.of(file.toString()))
            .flatMap(part -> part)
            .toList());
  }

  public String python(String script, Object... arguments) throws IOException {
    Path file = folder.resolve("script.py");
    Files.writeString(file, script);
    return run(
        Stream.concat(Stream.of(PYTHON, file.toString()), Stream.of(arguments).map(String::valueOf))
            .toList());
  }

  private String run(List<String> command) throws IOException {
    Path output = folder.resolve("output");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    // Otherwise names that are not ASCII depend on the locale of the machine.
    builder.environment().put("PYTHONUTF8", "1");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    int code = exitCode(process);
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(code).as(String.join(" ", command) + ": " + text).isZero();
    return text;
  }

  private static int exitCode(Process process) {
    try {
      assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
