// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Asks a file system at which multiples writes should begin and end. Blocks as long as the file
 * system does, so only threads that may block call it.
 */
final class FileSystemStripe {
  /** Lustre's default, and a multiple of what other file systems like. */
  static final long BYTES_DEFAULT = 1 << 20;

  /** Longer stripes would leave most seats without a part of a file. */
  static final long BYTES_MAX = 64L << 20;

  private static final String LUSTRE = "lustre";
  private static final long ANSWER_SECONDS = 5;
  private static final int OUTPUT_BYTES_MAX = 1000;

  private FileSystemStripe() {}

  /** The directory's stripe size, or the default if unknown. */
  static long of(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    return LUSTRE.equals(store.type()) ? ofLustre(directory) : ofBlocks(store.getBlockSize());
  }

  /** NFS and GPFS report their preferred size here; local disks report a far smaller one. */
  static long ofBlocks(long blockBytes) {
    return sensible(blockBytes) && blockBytes > BYTES_DEFAULT ? blockBytes : BYTES_DEFAULT;
  }

  private static boolean sensible(long bytes) {
    return bytes >= 1 && bytes <= BYTES_MAX && Long.bitCount(bytes) == 1;
  }

  private static long ofLustre(Path directory) {
    try {
      Process lfs =
          new ProcessBuilder("lfs", "getstripe", "-d", "-S", directory.toString())
              .redirectErrorStream(true)
              .start();
      lfs.getOutputStream().close();
      try (InputStream out = lfs.getInputStream()) {
        if (!lfs.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) return BYTES_DEFAULT;
        return ofText(new String(out.readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.US_ASCII));
      } finally {
        lfs.destroyForcibly();
      }
    } catch (IOException noSuchCommand) {
      return BYTES_DEFAULT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return BYTES_DEFAULT;
    }
  }

  /**
   * The output of {@code lfs getstripe -S}: a number of bytes, 0 or -1 for the file system's own.
   */
  static long ofText(String printed) {
    String text = printed.strip();
    String last = text.substring(text.lastIndexOf(' ') + 1);
    try {
      long bytes = Long.parseLong(last);
      return sensible(bytes) ? bytes : BYTES_DEFAULT;
    } catch (NumberFormatException e) {
      return BYTES_DEFAULT;
    }
  }
}
