// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Slurm on this machine by {@code dev/slurm-here}, until {@link #down}. One thread. */
public final class SlurmHere {
  private static final String SCRIPT = "../dev/slurm-here";

  /** In the environment of all its processes. */
  private static final String MARK = "FOREBAY_SLURM_HERE";

  private static final long POLL_MILLIS = 100;

  /** Longer than an agent takes to end what Slurm has forgotten. */
  private static final int POLLS_MAX = 1800;

  private static final String FORGOTTEN = "Invalid job id specified";

  private final Path folder;
  private final Path directory;

  private SlurmHere(Path folder, Path directory) {
    this.folder = folder;
    this.directory = directory;
  }

  /** Why there can be none here, with the remedy; empty if there can. */
  public static String missing() {
    for (String program : new String[] {"/usr/sbin/slurmctld", "/usr/sbin/munged", "/usr/bin/cc"}) {
      if (!Files.isExecutable(Path.of(program))) {
        return "needs " + program + ": run dev/optional-packages";
      }
    }
    return "";
  }

  /**
   * Compiles the programs that Slurm calls, and starts a Slurm with two nodes.
   *
   * @param folder for the programs and for output
   * @param options of {@code dev/slurm-here up}
   */
  public static SlurmHere up(Path folder, String plugin, String... options)
      throws IOException, InterruptedException {
    Path programs = folder.resolve("programs");
    run(folder, List.of("../job/src/main/slurm/install", programs.toString()));
    List<String> words = new ArrayList<>(List.of(SCRIPT, "up", "--plugin", plugin));
    words.addAll(List.of("--nodes", "2", "--commands", programs.toString()));
    words.addAll(List.of(options));
    String told = run(folder, words);
    Matcher matcher = Pattern.compile("export SLURM_CONF=(\\S+)/etc/slurm.conf").matcher(told);
    if (!matcher.find()) throw new AssertionError(told);
    return new SlurmHere(folder, Path.of(matcher.group(1)));
  }

  /** Where everything of it is. */
  public Path directory() {
    return directory;
  }

  /** Submits a script, as a user who may; gives what {@code sbatch} printed. */
  public String submit(String directives, String work) throws IOException, InterruptedException {
    Path script = directory.resolve("work/job.sh");
    Files.writeString(script, "#!/bin/bash\n" + directives + work);
    return asUser("cd " + script.getParent() + " && sbatch job.sh");
  }

  /** Submits a script that must be accepted; gives the job's id. */
  public String submitted(String directives, String work) throws IOException, InterruptedException {
    String told = submit(directives, work);
    Matcher matcher = Pattern.compile("Submitted batch job (\\d+)").matcher(told);
    if (!matcher.find()) throw new AssertionError(told);
    return matcher.group(1);
  }

  /** The state of a job and the reason for it; empty if Slurm has forgotten the job. */
  public String state(String id) throws IOException, InterruptedException {
    String state = asUser("squeue --noheader --states=all --jobs=" + id + " --format='%T %r'");
    return state.contains(FORGOTTEN) ? "" : state;
  }

  /** Waits until the state of a job is as wanted, and returns it. */
  public String awaitState(String id, Predicate<String> wanted)
      throws IOException, InterruptedException {
    String state = "";
    for (int i = 0; i < POLLS_MAX; i++) {
      state = state(id);
      if (wanted.test(state)) return state;
      Thread.sleep(POLL_MILLIS);
    }
    throw new AssertionError("job " + id + " is not as it should be: " + state);
  }

  /** Whether a state is one of a job that is over; its buffer may still be torn down. */
  public static boolean isOver(String state) {
    return state.isEmpty() || state.matches("(?s)(COMPLETED|CANCELLED|FAILED) .*");
  }

  /** A script that runs a program of Slurm with the configuration of this one. */
  public Path program(String name) throws IOException {
    Path script = folder.resolve(name);
    Files.writeString(
        script,
        "#!/bin/sh\nSLURM_CONF=%s/etc/slurm.conf exec %s \"$@\"\n".formatted(directory, name));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  /** What a job printed. */
  public String output(String id) throws IOException {
    return Files.readString(directory.resolve("work/slurm-" + id + ".out"));
  }

  /** Runs a command of Slurm as a user who may submit. */
  public String asUser(String command) throws IOException, InterruptedException {
    String all = "export SLURM_CONF=" + directory + "/etc/slurm.conf; " + command;
    return System.getProperty("user.name").equals("root")
        ? run(folder, List.of("su", "nobody", "-s", "/bin/bash", "-c", all))
        : run(folder, List.of("/bin/bash", "-c", all));
  }

  /** Kills a process of it, such as {@code slurmctld} or {@code agent n1}, and starts it again. */
  public void killAndRestart(String name) throws IOException, InterruptedException {
    Path state = directory.resolve("slurm-here.state");
    for (String line : Files.readAllLines(state)) {
      String[] words = line.split(" ", 3);
      if (!words[0].equals("process") || !words[2].equals(name)) continue;
      ProcessHandle.of(Long.parseLong(words[1])).ifPresent(ProcessHandle::destroyForcibly);
    }
    restart(name);
  }

  /** Ends a process of it, if it runs, and starts it again. */
  public void restart(String name) throws IOException, InterruptedException {
    run(folder, List.of(SCRIPT, "restart", "--dir", directory.toString(), name));
  }

  /** Its logs, for messages of tests that fail. */
  public String logs() throws IOException {
    StringBuilder logs = new StringBuilder();
    try (var files = Files.list(directory.resolve("log"))) {
      for (Path each : files.filter(file -> file.toString().endsWith(".out")).sorted().toList()) {
        if (!each.getFileName().toString().startsWith("agent")) continue;
        logs.append(each.getFileName()).append(":\n").append(Files.readString(each));
      }
    }
    return logs.toString();
  }

  private static String run(Path folder, List<String> words)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", "");
    // A file and no pipe: Slurm's processes inherit it, and a pipe would end with them.
    new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start()
        .waitFor();
    String text = Files.readString(out);
    Files.delete(out);
    return text;
  }

  /** Ends its processes and removes its files; fails if a process is left. */
  public void down() throws IOException, InterruptedException {
    String told = run(folder, List.of(SCRIPT, "down", "--dir", directory.toString()));
    List<Long> left =
        ProcessHandle.allProcesses().map(ProcessHandle::pid).filter(this::has).toList();
    if (!left.isEmpty()) throw new AssertionError("processes " + left + " are left: " + told);
  }

  private boolean has(long pid) {
    try {
      String environment = Files.readString(Path.of("/proc", pid + "", "environ"), ISO_8859_1);
      return List.of(environment.split("\0", -1)).contains(MARK + "=" + directory);
    } catch (IOException e) {
      return false; // It has ended, or belongs to another user.
    }
  }
}
