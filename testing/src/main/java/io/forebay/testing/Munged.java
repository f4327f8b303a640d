// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A munged of a test, with a key and a socket of its own. One thread. */
public final class Munged implements AutoCloseable {
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Other users reach its socket. */
  private static final int FOLDER_MODE = 0755;

  private final Process process;
  private final Path socket;

  private Munged(Process process, Path socket) {
    this.process = process;
    this.socket = socket;
  }

  /** Why there can be none here, with the remedy; empty if there can. */
  public static String missing() {
    for (String program : List.of("/usr/sbin/munged", "/usr/sbin/mungekey", "/usr/bin/munge")) {
      if (!Files.isExecutable(Path.of(program))) {
        return "needs " + program + ": run dev/optional-packages";
      }
    }
    return "";
  }

  /** Starts one in a folder of its own. */
  public static Munged start(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Files.setAttribute(folder, "unix:mode", FOLDER_MODE);
    Path key = folder.resolve("key");
    if (!Files.exists(key)) {
      run(List.of("/usr/sbin/mungekey", "--create", "--keyfile=" + key));
    }
    Path socket = folder.resolve("socket");
    // By force: directories of tests are not as it wants them.
    Process process =
        new ProcessBuilder(
                "/usr/sbin/munged",
                "--foreground",
                "--force",
                "--socket=" + socket,
                "--key-file=" + key,
                "--pid-file=" + folder.resolve("pid"),
                "--log-file=" + folder.resolve("log"),
                "--seed-file=" + folder.resolve("seed"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile())
            .start();
    Munged munged = new Munged(process, socket);
    long end = System.nanoTime() + WAIT_NANOS;
    while (!Files.exists(socket)) {
      if (!process.isAlive() || System.nanoTime() - end > 0) {
        munged.close();
        throw new IOException("munged: " + Files.readString(folder.resolve("out")));
      }
      Thread.onSpinWait();
    }
    return munged;
  }

  public Path socket() {
    return socket;
  }

  /** A credential by the command, as another user if the words in front say so. */
  public byte[] credential(List<String> before, String payload, int seconds)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(before);
    words.addAll(List.of("/usr/bin/munge", "--socket=" + socket, "--ttl=" + seconds));
    words.add("--string=" + payload);
    return run(words).strip().getBytes(StandardCharsets.US_ASCII);
  }

  private static String run(List<String> words) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(words)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) throw new IOException(words + ": " + out);
    return out;
  }

  @Override
  public void close() {
    stop();
  }

  /** Ends it. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }
}
