// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the process that serves a mount, by an attribute of its root, and waits a bounded time. */
public final class MountAttribute {
  private static final int BYTES_MAX = 8192;
  private static final Duration QUESTION_MAX = Duration.ofSeconds(2);

  private MountAttribute() {}

  /**
   * The value of an attribute.
   *
   * @param name without {@code user.} before it
   * @return empty if there is none, or the mount does not answer in time
   */
  public static String of(Path mountPoint, String name) {
    CompletableFuture<String> asked = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> asked.complete(ask(mountPoint, name)));
    try {
      return asked.get(QUESTION_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } catch (ExecutionException | TimeoutException e) {
      return "";
    }
  }

  private static String ask(Path point, String name) {
    UserDefinedFileAttributeView view =
        Files.getFileAttributeView(point, UserDefinedFileAttributeView.class);
    ByteBuffer value = ByteBuffer.allocate(BYTES_MAX);
    try {
      view.read(name, value);
      return StandardCharsets.UTF_8.decode(value.flip()).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
