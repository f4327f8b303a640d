// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Lets the kernel forget what it has of one file, and of no other: all of the page cache would be
 * missing to others, and takes long. Java cannot say that to the kernel, but {@code dd} can. Any
 * thread.
 */
final class FilePages {
  private FilePages() {}

  /** Forgets a file that has been forced: what is not written yet stays. */
  static void forget(Path file) throws IOException, InterruptedException {
    Process dd =
        new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
            .redirectErrorStream(true)
            .start();
    String said = new String(dd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (dd.waitFor() != 0) throw new IOException(file + " cannot be forgotten: " + said);
  }
}
