// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import io.forebay.base.ByteSize;
import io.forebay.server.ring.LocalRing;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A separate file system for each server's disk, so that one can be filled completely without
 * affecting the others. One thread uses it; any may close it.
 */
public final class SmallDisks implements Closeable {
  private static final String BALLAST = "ballast";
  private static final int CHUNK_BYTES = 1 << 20;

  /** Room on a server's disk for everything besides its log. */
  private static final long OTHER_BYTES = 16L << 20;

  private final Path directory;
  private final List<Path> mounted = new ArrayList<>();

  private SmallDisks(Path directory) {
    this.directory = directory;
  }

  /**
   * Mounts one for each server of a ring that is not started yet.
   *
   * @return null where this is not allowed
   */
  public static @Nullable SmallDisks mount(Path directory, int servers, long ssdBytes)
      throws IOException {
    SmallDisks disks = new SmallDisks(directory);
    for (int i = 0; i < servers; i++) {
      if (disks.mount(Files.createDirectories(disks.path(LocalRing.name(i))), ssdBytes)) continue;
      disks.close();
      return null;
    }
    return disks;
  }

  private synchronized boolean mount(Path disk, long ssdBytes) throws IOException {
    String size = "size=" + (ssdBytes + OTHER_BYTES);
    boolean done = run("mount", "-t", "tmpfs", "-o", size, "forebay", disk.toString());
    if (done) mounted.add(disk);
    return done;
  }

  private Path path(String server) {
    return directory.resolve(server);
  }

  /** Fills the disk of a server completely. */
  void fill(String server) throws IOException {
    Path ballast = path(server).resolve(BALLAST);
    long free = Files.getFileStore(path(server)).getUsableSpace();
    try (OutputStream bytes = Files.newOutputStream(ballast)) {
      byte[] chunk = new byte[CHUNK_BYTES];
      // The server may write at the same time: the disk is full when a write fails.
      for (long i = 0; i <= free / CHUNK_BYTES; i++) bytes.write(chunk);
    } catch (IOException full) {
      if (Files.getFileStore(path(server)).getUsableSpace() < CHUNK_BYTES) return;
      throw new IOException("a disk of " + ByteSize.format(free) + " could not be filled", full);
    }
  }

  /** Frees the space that {@link #fill} took. */
  void empty(String server) throws IOException {
    Files.deleteIfExists(path(server).resolve(BALLAST));
  }

  /** No process may use the disks any more. */
  @Override
  public synchronized void close() throws IOException {
    for (Path disk : mounted) {
      if (!run("umount", disk.toString())) throw new IOException("'" + disk + "' stays mounted");
    }
    mounted.clear();
  }

  private static boolean run(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.onExit().join().exitValue() == 0;
  }
}
