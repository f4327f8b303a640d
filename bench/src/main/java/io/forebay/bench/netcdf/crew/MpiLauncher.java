// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.bench.BenchmarkImpossible;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The {@code mpirun} of this machine, and its MPI library. Any thread. */
public final class MpiLauncher {
  private static final String NAME = "mpirun";
  private static final String OPEN_MPI = "Open MPI";

  private static final String OPEN_MPI_NAME = "mpirun.openmpi";

  private final String name;
  private final boolean openMpi;

  private MpiLauncher(String name, boolean openMpi) {
    this.name = name;
    this.openMpi = openMpi;
  }

  /** The first one that is found. */
  public static MpiLauncher find() throws IOException, BenchmarkImpossible {
    if (!isInstalled(NAME)) {
      throw new BenchmarkImpossible(
          "there is no mpirun here; install openmpi-bin, or take --ranks threads");
    }
    return new MpiLauncher(NAME, output(NAME, "--version").contains(OPEN_MPI));
  }

  /** The one for Debian's PnetCDF, if there are several. */
  public static MpiLauncher ofDebiansPnetcdf() throws IOException, BenchmarkImpossible {
    return isInstalled(OPEN_MPI_NAME) ? new MpiLauncher(OPEN_MPI_NAME, true) : find();
  }

  public static boolean isInstalled(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** What stands in front of the program. */
  public List<String> command(int ranks) {
    List<String> command = new ArrayList<>(List.of(name));
    // More ranks than cores, and running as root: Open MPI requires explicit options for both.
    if (openMpi) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
    }
    command.addAll(List.of("-n", Integer.toString(ranks)));
    // Open MPI's mpirun changes the class path of a program that is called java.
    command.add("env");
    return command;
  }

  /** The compiler that goes with it. */
  public String compiler() {
    String own = openMpi ? "mpicc.openmpi" : "mpicc.mpich";
    return isInstalled(own) ? own : "mpicc";
  }

  static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
