// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Mounts and unmounts by the {@code forebay} command, so that mounts outlive this process. */
public final class MountCommands implements MountPrograms {
  /** A command waits for programs and servers for a bounded time itself. */
  private static final long SECONDS_MAX = 150;

  private static final String COMPLAINT = "forebay: ";
  private static final int TEXT_BYTES_MAX = 16 << 10;

  private final List<String> forebay;
  private final Map<String, String> environment;

  /**
   * By a command.
   *
   * @param forebay the words that run the {@code forebay} command
   * @param environment variables that it gets besides those of this process
   */
  public MountCommands(List<String> forebay, Map<String, String> environment) {
    this.forebay = List.copyOf(forebay);
    this.environment = Map.copyOf(environment);
  }

  @Override
  public void mount(WantedMount wanted) throws IOException {
    List<String> words = new ArrayList<>(List.of("mount", "--background", "--allow-other"));
    if (!wanted.options().isEmpty()) words.addAll(List.of("-o", wanted.options()));
    words.addAll(List.of(wanted.source(), wanted.directory().toString()));
    run(words);
  }

  @Override
  public void unmount(Path directory, boolean lazy) throws IOException {
    List<String> words = new ArrayList<>(List.of("umount"));
    if (lazy) words.add("--lazy");
    words.add(directory.toString());
    run(words);
  }

  private void run(List<String> words) throws IOException {
    List<String> command = new ArrayList<>(forebay);
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    // A mount in the background does not hold this pipe: it is read to its end.
    byte[] said = process.getInputStream().readNBytes(TEXT_BYTES_MAX);
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(
            "'forebay %s' did not end in %d s".formatted(String.join(" ", words), SECONDS_MAX));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (process.exitValue() != 0) throw new IOException(sentence(said, words));
  }

  private static String sentence(byte[] said, List<String> words) {
    String text = new String(said, StandardCharsets.UTF_8).strip();
    for (String line : text.lines().toList()) {
      if (line.startsWith(COMPLAINT)) return line.substring(COMPLAINT.length());
    }
    return "'forebay " + String.join(" ", words) + "' failed: " + text;
  }
}
