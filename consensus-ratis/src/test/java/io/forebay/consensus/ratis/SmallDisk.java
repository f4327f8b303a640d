// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system in memory, in place of a manager's disk. */
final class SmallDisk implements AutoCloseable {
  private static final int MIB = 1 << 20;
  private static final int SIZE_MIB = 8;
  private static final int FILES_MAX = 400;

  private final Path at;

  private SmallDisk(Path at) {
    this.at = at;
  }

  /** Mounts it; without the right to do so, the test is skipped. */
  static SmallDisk mount(Path at) throws IOException {
    Files.createDirectories(at);
    String options = "mode=0700,size=%dm,nr_inodes=%d".formatted(SIZE_MIB, FILES_MAX);
    boolean mounted = run("mount", "-t", "tmpfs", "-o", options, "none", at.toString());
    assumeTrue(mounted, "needs root: a small disk is mounted");
    return new SmallDisk(at);
  }

  private Path ballast() {
    return at.resolve("ballast");
  }

  /** Takes all bytes, and all files: what a log frees by cutting a file lets it begin no other. */
  void fill() throws IOException {
    takeBytes();
    for (int i = 0; i <= FILES_MAX; i++) {
      try {
        Files.createFile(file(i));
      } catch (IOException full) {
        return;
      }
    }
    throw new IOException("the disk at " + at + " takes more files than it should");
  }

  private void takeBytes() throws IOException {
    try (OutputStream bytes = Files.newOutputStream(ballast())) {
      for (int i = 0; i <= SIZE_MIB; i++) bytes.write(new byte[MIB]);
    } catch (IOException full) {
      return;
    }
    throw new IOException("the disk at " + at + " is larger than it should be");
  }

  private Path file(int number) {
    return at.resolve("ballast-" + number);
  }

  void empty() throws IOException {
    Files.delete(ballast());
    for (int i = 0; Files.deleteIfExists(file(i)); i++) {}
  }

  @Override
  public void close() throws IOException {
    if (!run("umount", at.toString())) throw new IOException("'" + at + "' stays mounted");
  }

  private static boolean run(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.onExit().join().exitValue() == 0;
  }
}
