// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that is moved aside when it has its size; a few of these are kept. A line is in
 * one file as a whole. One thread.
 */
final class RotatedFile implements AutoCloseable {
  /** The file itself, and those that were moved aside. */
  static final int FILES_MAX = 8;

  private final AuditFiles where;
  private @Nullable FileChannel channel;

  /** Opens nothing yet. */
  RotatedFile(AuditFiles where) {
    this.where = where;
  }

  /** Appends a line; after a failure the next one opens the file again. */
  void append(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      FileChannel at = open();
      if (at.size() > 0 && at.size() + bytes.remaining() > where.bytesMax()) {
        close();
        moveAside();
        at = open();
      }
      while (bytes.hasRemaining()) at.write(bytes);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private FileChannel open() throws IOException {
    FileChannel opened = channel;
    if (opened != null) return opened;
    Path parent = where.file().toAbsolutePath().getParent();
    if (parent != null) OwnerOnly.createDirectories(parent);
    boolean torn = endsWithinALine(where.file());
    opened = OwnerOnly.open(where.file(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    channel = opened;
    if (torn) opened.write(ByteBuffer.wrap(new byte[] {'\n'}));
    return opened;
  }

  /** A process may have died within a write. */
  private static boolean endsWithinALine(Path file) throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) return false;
    try (FileChannel read = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return read.read(last, read.size() - 1) == 1 && last.get(0) != '\n';
    }
  }

  private void moveAside() throws IOException {
    for (int number = FILES_MAX - 1; number > 0; number--) {
      Path from = aside(number - 1);
      if (Files.exists(from)) Files.move(from, aside(number), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path aside(int number) {
    return numbered(where.file(), number);
  }

  /** The file that was moved aside so many times; 0 for the file itself. */
  static Path numbered(Path file, int number) {
    return number == 0 ? file : file.resolveSibling(file.getFileName() + "." + number);
  }

  @Override
  public void close() throws IOException {
    FileChannel opened = channel;
    channel = null;
    if (opened != null) opened.close();
  }
}
