// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A Java program beside this one, from the same class path. It ends when it is closed, and when
 * this process ends, since its standard input ends then.
 */
public final class Child implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final long LATER_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final long LATER_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;
  private final String where;
  private final Thread hook = new Thread(this::end, "child-end");
  private volatile boolean ending;

  private Child(Process process, String name) throws IOException {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.questions = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    String line = answers.readLine();
    if (line == null || !line.startsWith(ChildDesk.READY)) {
      process.destroy();
      throw new IOException(name + " could not be started; it said: " + line);
    }
    this.where = line.substring(ChildDesk.READY.length());
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a program whose main method calls {@link ChildDesk#serve}, and waits until it does.
   *
   * @param directory the directory of its temporary files
   */
  public static Child start(Class<?> main, Path directory, List<String> arguments)
      throws IOException {
    return startUnder(List.of(), main, directory, arguments);
  }

  /**
   * The same by a launcher that passes standard input and output on.
   *
   * @param launcher its command, which stands in front of the program's
   */
  public static Child startUnder(
      List<String> launcher, Class<?> main, Path directory, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + directory);
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new Child(process, main.getSimpleName());
  }

  /** How it is reached. */
  public String where() {
    return where;
  }

  /** The processor time it has used so far. */
  public long cpuNanos() throws IOException {
    tell(ChildDesk.CPU);
    return Long.parseLong(hear());
  }

  /** How long its compilers have worked so far. */
  public long compileMillis() throws IOException {
    tell(ChildDesk.COMPILED);
    return Long.parseLong(hear());
  }

  /** Sends a line to it. */
  public void tell(String line) throws IOException {
    questions.write(line + "\n");
    questions.flush();
  }

  /** Waits for the next line from it. */
  public String hear() throws IOException {
    String line = answers.readLine();
    if (line == null) throw new IOException("the process at " + where + " has ended");
    return line;
  }

  /** Lets it end, and waits for that. */
  @Override
  public void close() throws IOException {
    if (!ending) Runtime.getRuntime().removeShutdownHook(hook);
    questions.close();
    boolean interrupted = false;
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      interrupted = true;
      process.destroy();
    } finally {
      answers.close();
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** This process ends: the child cleans up while its files exist; see {@code Scratch}. */
  private void end() {
    ending = true;
    awaitLaterOnes();
    try {
      close();
    } catch (IOException gone) {
      process.destroy();
    }
  }

  /** Children that were started later may use this one, as mounts use a ring. */
  private void awaitLaterOnes() {
    long start = System.nanoTime();
    while (ProcessHandle.current().children().anyMatch(this::isEarlierThan)
        && System.nanoTime() - start < LATER_NANOS_MAX) {
      LockSupport.parkNanos(LATER_PAUSE_NANOS);
    }
  }

  private boolean isEarlierThan(ProcessHandle other) {
    Instant own = process.info().startInstant().orElse(Instant.MAX);
    return own.isBefore(other.info().startInstant().orElse(Instant.MIN));
  }
}
