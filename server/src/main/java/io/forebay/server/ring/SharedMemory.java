// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The default memory file system of the machine; in containers it is often small. Stateless. */
public final class SharedMemory {
  public static final Path DIRECTORY = Path.of("/dev/shm");

  private SharedMemory() {}

  /** Free bytes there; 0 where there is none, or it is not writable. */
  public static long freeBytes() throws IOException {
    if (!Files.isDirectory(DIRECTORY) || !Files.isWritable(DIRECTORY)) return 0;
    return Files.getFileStore(DIRECTORY).getUsableSpace();
  }
}
