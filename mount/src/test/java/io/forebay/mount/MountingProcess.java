// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.ForebayOptions;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A mount in a process of its own, which can be stopped and go on. One thread uses it. */
final class MountingProcess implements AutoCloseable {
  private static final String MOUNTED = "mounted";

  private final Process process;

  /**
   * Sends signals. It runs before files of the mount are open: to start a process closes copies of
   * their descriptors, which a mount that is stopped does not answer.
   */
  private final Process signals;

  MountingProcess(String uri, Path point, Duration sessionExpiry) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MountingProcess.class.getName(),
                uri,
                point.toString(),
                sessionExpiry.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    signals =
        new ProcessBuilder(
                "sh",
                "-c",
                "while read -r name; do kill -$name " + process.pid() + "; echo sent; done")
            .start();
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    if (MOUNTED.equals(line)) return;
    signals.destroy();
    process.destroyForcibly();
    throw new AssertionError("it says: " + line);
  }

  /** Mounts, says so, and unmounts at the end of its input. */
  public static void main(String[] arguments) throws IOException {
    ForebayOptions options =
        ForebayOptions.defaults().withSessionExpiry(Duration.parse(arguments[2]));
    ForebayMount mount =
        ForebayMount.mount(arguments[0], Path.of(arguments[1]), MountSettings.defaults(), options);
    try {
      System.out.println(MOUNTED);
      while (System.in.read() >= 0) {}
    } finally {
      mount.close();
    }
  }

  void stop() throws IOException {
    signal("STOP");
  }

  void goOn() throws IOException {
    signal("CONT");
  }

  private void signal(String name) throws IOException {
    Writer to = signals.outputWriter(StandardCharsets.UTF_8);
    to.write(name + "\n");
    to.flush();
    signals.inputReader(StandardCharsets.UTF_8).readLine();
  }

  @Override
  public void close() throws IOException {
    goOn();
    signals.destroy();
    process.getOutputStream().close();
    try {
      if (process.waitFor(60, TimeUnit.SECONDS)) return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
