// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import io.forebay.store.disk.OwnerOnly;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link RingMember} as its parent process sees it. Any thread may end it. */
final class MemberProcess {
  /** The file for its log, appended to that of an earlier process of the same name. */
  record Log(String name, Path file) {
    private static final int LINES_MAX = 8;

    /** Its last lines, each with the name in front. */
    List<String> lastLines() {
      return lastLines(LINES_MAX);
    }

    /** The same, so many of them. */
    List<String> lastLines(int count) {
      if (Files.notExists(file)) return List.of();
      try {
        List<String> lines = Files.readAllLines(file);
        List<String> last = new ArrayList<>();
        for (String line : lines.subList(Math.max(0, lines.size() - count), lines.size())) {
          last.add(name + ": " + line);
        }
        return last;
      } catch (IOException e) {
        return List.of(name + ": its log cannot be read: " + e.getMessage());
      }
    }
  }

  private static final long END_SECONDS_MAX = 10;

  /** How long a leaving server may take to move its data to others. */
  private static final long OWN_END_SECONDS_MAX = 120;

  /** Fast to start and small; a killed process leaves no file of counters behind. */
  static final List<String> JAVA_OPTIONS =
      List.of(
          "-Xmx128m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-XX:+ExitOnOutOfMemoryError",
          "-Dorg.slf4j.simpleLogger.log.io.forebay=info",
          "--enable-native-access=ALL-UNNAMED",
          // Of the library of several managers; servers warn of nothing that users cannot change.
          "-Dsun.misc.unsafe.memory.access=allow");

  private final String name;
  private final Process process;

  private MemberProcess(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /**
   * Starts a process; it does not listen yet.
   *
   * @param before the prefix of its command line
   * @param options options of its virtual machine, which override the default ones
   */
  static MemberProcess start(
      Log log, List<String> before, List<String> options, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JAVA_OPTIONS);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(RingMember.class.getName());
    command.addAll(arguments);
    // Made before the process appends to it: it names files of users.
    OwnerOnly.open(log.file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.file.toFile()))
            .start();
    return new MemberProcess(log.name, process);
  }

  /** Waits until it listens, and says where. */
  String awaitAddress() throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String address = lines.readLine();
    if (address != null) return address;
    process.onExit().join();
    requireAlive();
    throw new IllegalStateException(name + " runs but does not answer");
  }

  /** Fails if it has ended. */
  void requireAlive() throws IOException {
    if (process.isAlive()) return;
    throw new IOException(
        "%s (process %d) ended with code %d".formatted(name, pid(), process.exitValue()));
  }

  long pid() {
    return process.pid();
  }

  /** With SIGKILL; waits for the end. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Sends a signal that the process cannot refuse. */
  void signal(String signal) throws IOException {
    int exitCode =
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
            .inheritIO()
            .start()
            .onExit()
            .join()
            .exitValue();
    if (exitCode != 0) throw new IOException(name + " could not be sent " + signal);
  }

  /** Asks it to end; it closes its log. */
  void tellToEnd() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The pipe is broken, so the process cannot be told to end.
      process.destroyForcibly();
    }
  }

  /** Waits until it ends on its own, with success. */
  void awaitOwnEnd() throws IOException {
    Process ended =
        process.onExit().completeOnTimeout(process, OWN_END_SECONDS_MAX, TimeUnit.SECONDS).join();
    if (ended.isAlive()) throw new IOException(name + " has not left the ring");
    if (ended.exitValue() != 0) requireAlive();
  }

  /** Waits, up to a limit, for the process to end after a request. */
  void awaitEnd() {
    process
        .onExit()
        .completeOnTimeout(process, END_SECONDS_MAX, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly)
        .join();
    process.onExit().join();
  }
}
