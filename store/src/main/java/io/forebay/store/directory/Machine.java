// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The properties of the machine that a log depends on.
 *
 * @param memoryRoot the default directory of memory segments, if the machine has one
 * @param bootId the kernel's boot id, empty where there is none
 */
public record Machine(@Nullable Path memoryRoot, String bootId) {
  private static final Logger LOG = LoggerFactory.getLogger(Machine.class);
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  public static Machine current() {
    boolean usable = isMemory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
    return new Machine(usable ? SHARED_MEMORY : null, readBootId());
  }

  /** Whether the files of that directory are in memory. */
  static boolean isMemory(Path directory) {
    if (!Files.isDirectory(directory)) return false;
    try {
      String type = Files.getFileStore(directory).type();
      return type.equals("tmpfs") || type.equals("ramfs") || type.equals("hugetlbfs");
    } catch (IOException unknown) {
      LOG.debug("{}: cannot tell its file system", directory, unknown);
      return false;
    }
  }

  /** Whether the machine has certainly been restarted since that boot id was read. */
  boolean restartedSince(String earlier) {
    return !bootId.isEmpty() && !earlier.isEmpty() && !bootId.equals(earlier);
  }

  /** Whether the machine has certainly not been restarted since that boot id was read. */
  public boolean sameBoot(String earlier) {
    return !bootId.isEmpty() && bootId.equals(earlier);
  }

  private static String readBootId() {
    try {
      String text = Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
      return text.length() > LogIdentity.BOOT_ID_BYTES_MAX ? "" : text;
    } catch (IOException absent) {
      LOG.debug("{} cannot be read, so no memory counts as survived", BOOT_ID, absent);
      return "";
    }
  }
}
