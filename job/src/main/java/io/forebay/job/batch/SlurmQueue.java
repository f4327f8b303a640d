// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.batch;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The jobs of Slurm, as {@code squeue} lists them. Slurm lists a job for some minutes after its
 * end, with the state that it ended in. While results are staged out its state is another one. A
 * job whose state is not one of these ends counts as live.
 */
public final class SlurmQueue implements BatchQueue {
  private static final long ANSWER_SECONDS_MAX = 20;

  /** How a job can have ended, when nothing of it is left to do. */
  private static final Set<String> ENDS =
      Set.of(
          "BOOT_FAIL",
          "CANCELLED",
          "COMPLETED",
          "DEADLINE",
          "FAILED",
          "NODE_FAIL",
          "OUT_OF_MEMORY",
          "PREEMPTED",
          "TIMEOUT");

  private static final List<String> OPTIONS =
      List.of("--noheader", "--all", "--states=all", "--format=%A %T");

  private final String squeue;

  /**
   * By a program.
   *
   * @param squeue its name, or its path
   */
  public SlurmQueue(String squeue) {
    this.squeue = squeue;
  }

  @Override
  public String creator() {
    return "SLURM";
  }

  @Override
  public Set<String> live() throws IOException, InterruptedException {
    // A file, since a program that is killed may leave a pipe open.
    Path listed = Files.createTempFile("forebay-squeue", "");
    try {
      run(listed);
      return parse(listed);
    } finally {
      Files.delete(listed);
    }
  }

  private void run(Path listed) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(squeue);
    builder.command().addAll(OPTIONS);
    // These would leave jobs out.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("SQUEUE_") || name.equals("SLURM_CLUSTERS"));
    builder.redirectOutput(listed.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IOException("'%s' does not answer".formatted(squeue));
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            "'%s' ended with exit code %d; does it work as root?"
                .formatted(squeue, process.exitValue()));
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private Set<String> parse(Path listed) throws IOException {
    Set<String> live = new HashSet<>();
    try (BufferedReader lines = Files.newBufferedReader(listed, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.strip().split(" +", -1);
        boolean isJob = words.length == 2 && words[0].matches("[0-9]+");
        if (!isJob) throw new IOException("'%s' printed '%s'".formatted(squeue, line));
        if (!ENDS.contains(words[1])) live.add(words[0]);
      }
    }
    return live;
  }
}
