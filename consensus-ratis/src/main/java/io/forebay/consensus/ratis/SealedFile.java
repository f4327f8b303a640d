// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A file that is whole or not there: a head with magic, version, kind, length and checksum, then
 * the content. Any thread.
 */
final class SealedFile {
  private static final long MAGIC = 0x464f524542415947L;
  private static final int VERSION = 1;

  private static final int MAGIC_OFFSET = 0;
  private static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
  private static final int KIND_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int LENGTH_OFFSET = KIND_OFFSET + Integer.BYTES;
  private static final int CHECKSUM_OFFSET = LENGTH_OFFSET + Long.BYTES;
  private static final int CONTENT_OFFSET = CHECKSUM_OFFSET + Integer.BYTES;

  private SealedFile() {}

  /** The bytes of a file of that kind. */
  static ByteBuffer seal(int kind, ByteBuffer content) {
    ByteBuffer bytes = ByteBuffer.allocate(CONTENT_OFFSET + content.remaining());
    bytes.putLong(MAGIC_OFFSET, MAGIC).putInt(VERSION_OFFSET, VERSION).putInt(KIND_OFFSET, kind);
    bytes.putLong(LENGTH_OFFSET, content.remaining());
    bytes.put(CONTENT_OFFSET, content, content.position(), content.remaining());
    return bytes.putInt(CHECKSUM_OFFSET, checksum(bytes));
  }

  /** Writes a file of that kind, which is safe on return. */
  static void write(Path file, int kind, ByteBuffer content) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (FileChannel out =
        FileChannel.open(
            part,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = seal(kind, content);
      while (bytes.hasRemaining()) out.write(bytes);
      out.force(true);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    forceDirectory(file);
  }

  /** The content of a file of that kind; an exception names the file and what is wrong with it. */
  static ByteBuffer read(Path file, int kind) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.remaining() < CONTENT_OFFSET || bytes.getLong(MAGIC_OFFSET) != MAGIC) {
      throw new IOException("'" + file + "' is not a file of a manager");
    }
    if (bytes.getInt(VERSION_OFFSET) != VERSION || bytes.getInt(KIND_OFFSET) != kind) {
      throw new IOException("'" + file + "' was written by another version of this program");
    }
    boolean whole = bytes.getLong(LENGTH_OFFSET) == bytes.remaining() - CONTENT_OFFSET;
    if (!whole || bytes.getInt(CHECKSUM_OFFSET) != checksum(bytes)) {
      throw new IOException("'" + file + "' is damaged");
    }
    return bytes.position(CONTENT_OFFSET).slice().asReadOnlyBuffer();
  }

  /** Makes what was created or renamed in the file's directory safe. */
  static void forceDirectory(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) return;
    try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  /** Of all but the checksum itself. */
  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.slice(0, CHECKSUM_OFFSET));
    checksum.update(bytes.slice(CONTENT_OFFSET, bytes.limit() - CONTENT_OFFSET));
    return (int) checksum.getValue();
  }
}
