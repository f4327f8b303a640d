// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.store.crash.LedgerLine.Upkeep;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Workload} in a process of its own. It starts and waits, so that the time a JVM takes can
 * be spent otherwise; it dies with whoever started it, since its pipes break.
 */
final class WorkloadProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private WorkloadProcess(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.US_ASCII);
  }

  /**
   * Starts a process that waits for its order.
   *
   * @param errors the file to which it complains
   * @param archiveOption one of those of {@link WorkloadClasses}
   */
  static WorkloadProcess start(Path errors, String classPath, String archiveOption)
      throws IOException {
    String[] command = {
      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      archiveOption,
      "-Xshare:auto",
      "-Xlog:disable",
      "-ea",
      "-Xmx96m",
      "-XX:TieredStopAtLevel=1",
      "-XX:+UseSerialGC",
      "-XX:-UsePerfData",
      "--enable-native-access=ALL-UNNAMED",
      "-cp",
      classPath,
      Workload.class.getName()
    };
    return new WorkloadProcess(
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start());
  }

  void give(Order order) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(order.text()).append('\n').flush();
  }

  /** The next line, or null when the process has ended and everything is read. */
  @Nullable LedgerLine next() throws IOException {
    String line = out.readLine();
    return line == null ? null : LedgerLine.parse(line);
  }

  /** Reads on until so many lines have come; false if the process ended before. */
  boolean readLines(int lines, Ledger ledger) throws IOException {
    for (int i = 0; i < lines; i++) {
      LedgerLine line = next();
      if (line == null) return false;
      ledger.accept(line);
    }
    return true;
  }

  /** Reads on until an upkeep of that kind begins; false if the process ended before. */
  boolean readUntil(Upkeep upkeep, Ledger ledger) throws IOException {
    for (LedgerLine line = next(); line != null; line = next()) {
      ledger.accept(line);
      if (line.equals(new LedgerLine.Begin(upkeep))) return true;
    }
    return false;
  }

  /** Stops it where it is: nothing more is acknowledged. */
  void freeze() throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor();
    if (code != 0) throw new IOException("process " + process.pid() + " could not be stopped");
  }

  /** Kills it with SIGKILL and takes what it had still said. */
  void kill(Ledger ledger) throws IOException {
    // By its handle: Process.destroyForcibly would close the pipe with what is still in it.
    process.toHandle().destroyForcibly();
    for (LedgerLine line = next(); line != null; line = next()) ledger.accept(line);
    process.onExit().join();
  }

  /** Waits until it has ended by itself. */
  void awaitEnd() {
    process.onExit().join();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
