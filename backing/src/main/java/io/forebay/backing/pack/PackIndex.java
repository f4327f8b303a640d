// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The index of a pack, in its order.
 *
 * @param dataBytes the bytes of its files together
 */
public record PackIndex(List<Entry> entries, long dataBytes) {
  /** A file of it, and where its bytes are. */
  public record Entry(PackMember member, long offset, int crc32) {}

  /** The bytes to read from the end first, enough for some hundred files. */
  private static final int TAIL_BYTES = 64 * 1024;

  public PackIndex {
    entries = List.copyOf(entries);
  }

  /** Reads the directory of a pack in a store. */
  static PackIndex read(BackingStore store, BackingPath pack, long sizeBytes)
      throws BackingException {
    long from = Math.max(0, sizeBytes - TAIL_BYTES);
    ByteBuffer tail = read(store, pack, from, (int) (sizeBytes - from));
    if (tail.remaining() < PackLayout.END_BYTES) throw damaged(store, pack);
    int end = tail.remaining() - PackLayout.END_BYTES;
    if (tail.getInt(end) != PackLayout.END_MAGIC) throw damaged(store, pack);
    int count = Short.toUnsignedInt(tail.getShort(end + 10));
    long directoryBytes = Integer.toUnsignedLong(tail.getInt(end + 12));
    long directoryOffset = Integer.toUnsignedLong(tail.getInt(end + 16));
    boolean sensible =
        directoryOffset + directoryBytes + PackLayout.END_BYTES == sizeBytes
            && directoryBytes < PackLayout.BYTES_MAX;
    if (!sensible) throw damaged(store, pack);
    ByteBuffer directory =
        directoryOffset >= from
            ? tail.slice((int) (directoryOffset - from), (int) directoryBytes)
            : read(store, pack, directoryOffset, (int) directoryBytes);
    return parse(store, pack, directory.order(ByteOrder.LITTLE_ENDIAN), count);
  }

  private static PackIndex parse(
      BackingStore store, BackingPath pack, ByteBuffer directory, int count)
      throws BackingException {
    List<Entry> entries = new ArrayList<>();
    long dataBytes = 0;
    for (int i = 0; i < count; i++) {
      int at = directory.position();
      if (directory.remaining() < PackLayout.CENTRAL_BYTES) throw damaged(store, pack);
      if (directory.getInt(at) != PackLayout.CENTRAL_MAGIC) throw damaged(store, pack);
      int crc = directory.getInt(at + 16);
      long size = Integer.toUnsignedLong(directory.getInt(at + 24));
      int nameBytes = Short.toUnsignedInt(directory.getShort(at + 28));
      int extraBytes = Short.toUnsignedInt(directory.getShort(at + 30));
      long local = Integer.toUnsignedLong(directory.getInt(at + 42));
      int length = PackLayout.CENTRAL_BYTES + nameBytes + extraBytes;
      if (directory.remaining() < length) throw damaged(store, pack);
      byte[] name = new byte[nameBytes];
      directory.get(at + PackLayout.CENTRAL_BYTES, name);
      FileAttributes attributes =
          attributes(directory, at + PackLayout.CENTRAL_BYTES + nameBytes, extraBytes);
      String path = new String(name, StandardCharsets.UTF_8);
      // In both headers the same name and the same extra field.
      long offset = local + PackLayout.LOCAL_BYTES + nameBytes + extraBytes;
      entries.add(new Entry(new PackMember(path, size, attributes), offset, crc));
      dataBytes += size;
      directory.position(at + length);
    }
    return new PackIndex(entries, dataBytes);
  }

  private static FileAttributes attributes(ByteBuffer directory, int at, int extraBytes) {
    boolean known =
        extraBytes == PackLayout.EXTRA_BYTES
            && directory.getShort(at) == PackLayout.EXTRA_ID
            && directory.get(at + PackLayout.EXTRA_HEADER_BYTES) == PackLayout.EXTRA_VERSION;
    if (!known) return FileAttributes.NONE;
    int from = at + PackLayout.EXTRA_HEADER_BYTES + 1;
    return new FileAttributes(
        directory.getInt(from),
        directory.getInt(from + Integer.BYTES),
        directory.getInt(from + 2 * Integer.BYTES),
        directory.getLong(from + 3 * Integer.BYTES));
  }

  static ByteBuffer read(BackingStore store, BackingPath path, long offset, int bytes)
      throws BackingException {
    ByteBuffer target = PackLayout.littleEndian(bytes);
    while (target.hasRemaining()) {
      int read = store.read(path, BackingStore.ANY_VERSION, offset + target.position(), target);
      if (read == 0) throw damaged(store, path);
    }
    return target.flip();
  }

  private static BackingException damaged(BackingStore store, BackingPath path) {
    return new BackingException(
        new BackingFailure.WrongKind(
            "'%s' in %s is not a sound pack of files; restore it, or move it away to go on"
                .formatted(path, store.description())));
  }
}
