// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link ProcessMain} in a Java of its own; what it logs goes into a file. */
final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final String address;

  private ChildProcess(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /** Starts one and waits until it listens. */
  static ChildProcess start(Path log, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-ea",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.slf4j.simpleLogger.log.io.forebay=info",
            "-cp",
            System.getProperty("java.class.path"),
            ProcessMain.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String address = out.readLine();
    if (address == null) {
      process.destroyForcibly();
      throw new IOException("it did not start: " + Files.readString(log));
    }
    return new ChildProcess(process, address);
  }

  String address() {
    return address;
  }

  /** As {@code kill} does; waits for the end and gives its exit code. */
  int terminate() throws InterruptedException {
    // Not by the process itself, which would close its input too.
    process.toHandle().destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) throw new IllegalStateException("it does not end");
    return process.exitValue();
  }

  /** As {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
