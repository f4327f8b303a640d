// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.netcdf.crew.MpiLauncher;
import io.forebay.bench.netcdf.pattern.Pattern;
import io.forebay.netcdf.data.Subarray;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small program in C that writes patterns with PnetCDF, compiled at run time. One thread at a
 * time.
 */
public final class PnetcdfProgram {
  /** The environment's name for the folder of a PnetCDF that is not Debian's. */
  static final String FOLDER_VARIABLE = "PNETCDF_DIR";

  private static final String SOURCE = "pattern.c";
  private static final String ANSWER = "nanos ";
  private static final String NO_BURST_BUFFER = "no burst buffer";

  private final MpiLauncher launcher;
  private final Path program;

  private PnetcdfProgram(MpiLauncher launcher, Path program) {
    this.launcher = launcher;
    this.program = program;
  }

  /**
   * Compiles it.
   *
   * @throws BenchmarkImpossible naming the missing packages
   */
  public static PnetcdfProgram compile(Path directory) throws IOException, BenchmarkImpossible {
    String folder = System.getenv().getOrDefault(FOLDER_VARIABLE, "");
    // A custom PnetCDF is assumed to belong to the first mpirun found.
    MpiLauncher launcher = folder.isEmpty() ? MpiLauncher.ofDebiansPnetcdf() : MpiLauncher.find();
    if (!MpiLauncher.isInstalled(launcher.compiler())) {
      throw new BenchmarkImpossible("there is no mpicc here; install libopenmpi-dev");
    }
    Path source = directory.resolve(SOURCE);
    try (InputStream text = PnetcdfProgram.class.getResourceAsStream(SOURCE)) {
      if (text == null) throw new IllegalStateException("there is no " + SOURCE);
      Files.copy(text, source);
    }
    Path program = directory.resolve("pattern");
    List<String> command = new ArrayList<>(List.of(launcher.compiler(), "-O2"));
    command.addAll(List.of("-o", program.toString(), source.toString()));
    if (!folder.isEmpty()) {
      command.addAll(List.of("-I" + folder + "/include", "-L" + folder + "/lib"));
      command.add("-Wl,-rpath," + folder + "/lib");
    }
    command.addAll(List.of("-lpnetcdf", "-lm"));
    Ended ended = run(command);
    if (ended.code != 0) {
      throw new BenchmarkImpossible(
          (folder.isEmpty()
                  ? "PnetCDF is not installed here (Debian: libpnetcdf-dev)"
                  : "there is no PnetCDF in " + folder + ", which " + FOLDER_VARIABLE + " names")
              + "; mpicc said: "
              + ended.said.lines().findFirst().orElse("nothing"));
    }
    return new PnetcdfProgram(launcher, program);
  }

  /** Whether its burst-buffer driver was built. */
  boolean hasBurstBuffer(Path directory) throws IOException {
    List<String> command = new ArrayList<>(launcher.command(1));
    Path script = directory.resolve("nothing");
    Files.write(script, List.of());
    String place = directory.toString();
    command.addAll(List.of(program.toString(), script.toString(), place, place));
    return !run(command).said.contains(NO_BURST_BUFFER);
  }

  /**
   * How long it took, on the slowest rank.
   *
   * @param totalNanos from the first file's creation until the last one is closed
   * @param createNanos creating and defining files
   */
  public record Times(long totalNanos, long createNanos) {}

  /**
   * Writes the files of a pattern.
   *
   * @param logs where the burst-buffer driver has its logs; null for blocking writes
   */
  public Times write(Pattern pattern, Path script, Path directory, @Nullable Path logs)
      throws IOException {
    if (!Files.exists(script)) Files.write(script, lines(pattern));
    List<String> command = new ArrayList<>(launcher.command(pattern.ranks()));
    command.addAll(List.of(program.toString(), script.toString(), directory.toString()));
    if (logs != null) command.add(logs.toString());
    Ended ended = run(command);
    String answer =
        ended.said.lines().filter(line -> line.startsWith(ANSWER)).findFirst().orElse("");
    if (ended.code != 0 || answer.isEmpty()) {
      throw new IOException("PnetCDF's program failed: " + ended.said.strip());
    }
    String[] nanos = answer.substring(ANSWER.length()).split(" ", -1);
    return new Times(Long.parseLong(nanos[0]), Long.parseLong(nanos[1]));
  }

  private record Ended(int code, String said) {}

  private static Ended run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.onExit().join().exitValue(), said);
  }

  /** The pattern as the program reads it. */
  static List<String> lines(Pattern pattern) {
    List<String> lines = new ArrayList<>();
    for (int number = 0; number < pattern.files().size(); number++) {
      Pattern.Shape file = pattern.files().get(number);
      lines.add(
          "%s %d %d %d %d"
              .formatted(
                  file.name(),
                  pattern.format().version(),
                  file.dimensions().size(),
                  file.variables().size(),
                  pattern.putCount(number)));
      for (Pattern.Along each : file.dimensions()) lines.add(each.name() + " " + each.length());
      for (Pattern.Held each : file.variables()) {
        StringBuilder line = new StringBuilder(each.name());
        line.append(' ').append(each.type().code()).append(' ').append(each.along().size());
        for (int place : each.along()) line.append(' ').append(place);
        lines.add(line.toString());
      }
      for (int rank = 0; rank < pattern.ranks(); rank++) {
        pattern.<RuntimeException>puts(number, rank, put -> lines.add(line(put)));
      }
    }
    return lines;
  }

  private static String line(Pattern.Put put) {
    StringBuilder line = new StringBuilder().append(put.variable());
    Subarray part = put.part();
    for (int d = 0; d < part.dimensions(); d++) line.append(' ').append(part.start(d));
    for (int d = 0; d < part.dimensions(); d++) line.append(' ').append(part.count(d));
    return line.toString();
  }
}
