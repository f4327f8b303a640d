// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The ranks of a program that writes a checkpoint, in a process of its own: {@code URI RANKS}. Each
 * rank is a client that writes its blocks of a shared file and a file of its own, and publishes
 * them. Then the process is gone at once, with everything open.
 */
final class RestartWriters {
  static final String SHARED = "/step_1/shared";
  static final int BLOCK_BYTES = 96 * 1024 + 7;
  static final int BLOCKS_PER_RANK = 12;
  static final Duration SESSION = Duration.ofSeconds(3);

  private RestartWriters() {}

  static String own(int rank) {
    return "/step_1/rank-" + rank;
  }

  /** What is in a block; the file of a rank has the same blocks one after the other. */
  static byte[] block(int number) {
    byte[] bytes = new byte[BLOCK_BYTES];
    new SplittableRandom(number).nextBytes(bytes);
    return bytes;
  }

  public static void main(String[] arguments) throws IOException {
    int ranks = Integer.parseInt(arguments[1]);
    List<ForebayFile> open = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      ForebayOptions options =
          ForebayOptions.defaults().withSessionExpiry(SESSION).withNode("node-" + rank);
      Forebay client = Forebay.connect(arguments[0], options);
      ForebayFile shared = client.open(SHARED, WRITE, CREATE);
      ForebayFile own = client.open(own(rank), WRITE, CREATE);
      open.add(shared);
      open.add(own);
      for (int i = 0; i < BLOCKS_PER_RANK; i++) {
        int number = i * ranks + rank;
        shared.write(ByteBuffer.wrap(block(number)), (long) number * BLOCK_BYTES);
        own.write(ByteBuffer.wrap(block(number)), (long) i * BLOCK_BYTES);
      }
    }
    for (ForebayFile each : open) each.sync();
    // No shutdown hooks, no closing, no end of sessions.
    Runtime.getRuntime().halt(0);
  }
}
