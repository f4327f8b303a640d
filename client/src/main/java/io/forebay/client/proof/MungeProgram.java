// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.proof;

import io.forebay.wire.proof.UserCredential;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of MUNGE by the program {@code munge}, so that it works with every Java: munged of
 * this machine signs for the user of the process that asks.
 */
public final class MungeProgram implements UserCredentials {
  static final String PROGRAM = "munge";
  private static final long SECONDS_MAX = 10;
  private static final int ERROR_CHARS_MAX = 300;

  private final List<String> command;

  /** Runs a command that reads the content and prints the credential. */
  MungeProgram(List<String> command) {
    this.command = List.copyOf(command);
  }

  /**
   * By the program on the {@code PATH}.
   *
   * @param socket where munged listens; null for the usual place
   */
  public static MungeProgram of(@Nullable Path socket) {
    List<String> command = new ArrayList<>(List.of(PROGRAM));
    if (socket != null) command.add("--socket=" + socket);
    return new MungeProgram(command);
  }

  @Override
  public String make(String content) throws IOException {
    Process process = start();
    try {
      try (var input = process.outputWriter(StandardCharsets.US_ASCII)) {
        input.write(content);
      } catch (IOException e) {
        // It ended before it read all; its error says why.
      }
      return credential(process);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while '" + PROGRAM + "' made a credential");
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start() throws IOException {
    try {
      return new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new IOException(
          "the program '%s' cannot be run here; install MUNGE on this machine, or use a token"
                  .formatted(command.get(0))
              + " (FOREBAY_TOKEN)",
          e);
    }
  }

  private String credential(Process process) throws IOException, InterruptedException {
    // Both outputs are short: the program does not wait for a reader.
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IOException(
          "munged on this machine does not answer within " + SECONDS_MAX + " s; look at its log");
    }
    String made = text(process.getInputStream(), UserCredential.BYTES_MAX).strip();
    if (process.exitValue() == 0 && !made.isEmpty()) return made;
    String error = text(process.getErrorStream(), ERROR_CHARS_MAX).strip();
    throw new IOException(
        "munged on this machine makes no credential (%s); start it, or use a token (FOREBAY_TOKEN)"
            .formatted(error.replaceFirst("^munge: (Error: )?", "").replace('\n', ' ')));
  }

  private static String text(InputStream from, int bytesMax) throws IOException {
    return new String(from.readNBytes(bytesMax), StandardCharsets.UTF_8);
  }
}
