// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.store.disk.Disk.Reason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system that really is full: one mebibyte of memory. Needs the right to mount. */
@Timeout(60)
final class FileDiskFullTest {
  private static final int DEVICE_BYTES = 1 << 20;
  private static final int PENDING_MAX = 8;

  @TempDir Path directory;

  private boolean mounted;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + DEVICE_BYTES, "tmpfs", directory.toString());
    assumeTrue(mounted, "needs the right to mount");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) assertThat(run("umount", directory.toString())).isTrue();
  }

  @Test
  void createThatDoesNotFitLeavesNothing() throws IOException {
    try (Disk disk = open()) {
      DiskUser user = new DiskUser(disk);
      user.mustFail(Reason.NO_SPACE, done -> disk.create("a", 2L * DEVICE_BYTES, done));
      assertThat(disk.list()).isEmpty();
      user.must(done -> disk.create("b", DEVICE_BYTES / 2, done));
      user.mustFail(Reason.NO_SPACE, done -> disk.create("c", DEVICE_BYTES, done));
      assertThat(disk.list()).containsExactly(new Disk.FileEntry("b", DEVICE_BYTES / 2));
    }
  }

  @Test
  void mapOfAFileWithHolesFailsInsteadOfFaulting() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("sparse").toFile(), "rw")) {
      file.setLength(2L * DEVICE_BYTES);
      file.write(1);
    }
    try (Disk disk = open()) {
      DiskUser user = new DiskUser(disk);
      user.mustFail(Reason.NO_SPACE, done -> disk.map("sparse", done));
    }
  }

  @Test
  void mappedFileNeedsNoMoreSpace() throws IOException {
    Path sparse = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(DEVICE_BYTES / 2);
    }
    try (Disk disk = open()) {
      DiskUser user = new DiskUser(disk);
      user.must(done -> disk.map("sparse", done));
      byte[] filler = new byte[DEVICE_BYTES / 2];
      Files.write(directory.resolve("filler"), filler);
      user.mustFail(Reason.NO_SPACE, done -> disk.create("more", 4096, done));
      for (int at = 0; at < DEVICE_BYTES / 2; at++) disk.mapped("sparse").put(at, (byte) 1);
    }
  }

  private Disk open() throws IOException {
    return new FileDisk(directory, 1, PENDING_MAX, () -> {});
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException noSuchCommand) {
      return false;
    }
    return process.waitFor() == 0;
  }
}
