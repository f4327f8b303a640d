// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Makes the kernel drop its cache of one file, and of no other: dropping the whole page cache would
 * affect other programs, and takes long. Java cannot do that, but {@code dd} can. Any thread.
 */
final class FilePages {
  private FilePages() {}

  /** Drops the cache of a file that has been forced: unwritten pages stay. */
  static void forget(Path file) throws IOException, InterruptedException {
    Process dd =
        new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
            .redirectErrorStream(true)
            .start();
    String said = new String(dd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (dd.waitFor() != 0)
      throw new IOException(file + " cannot be dropped from the cache: " + said);
  }
}
