// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.bundle;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.StorePath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a bundle says that it holds, in its order.
 *
 * @param dataBytes the bytes of its files together
 */
public record BundleIndex(List<Entry> entries, long dataBytes) {
  /** A file of it, and where its bytes are. */
  public record Entry(BundleMember member, long offset, int crc32) {}

  /** So much is read from the end first, which is enough for some hundred files. */
  private static final int TAIL_BYTES = 64 * 1024;

  public BundleIndex {
    entries = List.copyOf(entries);
  }

  /** Reads the directory of a bundle in a store. */
  static BundleIndex read(BackingStore store, StorePath bundle, long sizeBytes)
      throws BackingException {
    long from = Math.max(0, sizeBytes - TAIL_BYTES);
    ByteBuffer tail = read(store, bundle, from, (int) (sizeBytes - from));
    if (tail.remaining() < BundleLayout.END_BYTES) throw damaged(store, bundle);
    int end = tail.remaining() - BundleLayout.END_BYTES;
    if (tail.getInt(end) != BundleLayout.END_MAGIC) throw damaged(store, bundle);
    int count = Short.toUnsignedInt(tail.getShort(end + 10));
    long directoryBytes = Integer.toUnsignedLong(tail.getInt(end + 12));
    long directoryOffset = Integer.toUnsignedLong(tail.getInt(end + 16));
    boolean sensible =
        directoryOffset + directoryBytes + BundleLayout.END_BYTES == sizeBytes
            && directoryBytes < BundleLayout.BYTES_MAX;
    if (!sensible) throw damaged(store, bundle);
    ByteBuffer directory =
        directoryOffset >= from
            ? tail.slice((int) (directoryOffset - from), (int) directoryBytes)
            : read(store, bundle, directoryOffset, (int) directoryBytes);
    return parse(store, bundle, directory.order(ByteOrder.LITTLE_ENDIAN), count);
  }

  private static BundleIndex parse(
      BackingStore store, StorePath bundle, ByteBuffer directory, int count)
      throws BackingException {
    List<Entry> entries = new ArrayList<>();
    long dataBytes = 0;
    for (int i = 0; i < count; i++) {
      int at = directory.position();
      if (directory.remaining() < BundleLayout.CENTRAL_BYTES) throw damaged(store, bundle);
      if (directory.getInt(at) != BundleLayout.CENTRAL_MAGIC) throw damaged(store, bundle);
      int crc = directory.getInt(at + 16);
      long size = Integer.toUnsignedLong(directory.getInt(at + 24));
      int nameBytes = Short.toUnsignedInt(directory.getShort(at + 28));
      int extraBytes = Short.toUnsignedInt(directory.getShort(at + 30));
      long local = Integer.toUnsignedLong(directory.getInt(at + 42));
      int length = BundleLayout.CENTRAL_BYTES + nameBytes + extraBytes;
      if (directory.remaining() < length) throw damaged(store, bundle);
      byte[] name = new byte[nameBytes];
      directory.get(at + BundleLayout.CENTRAL_BYTES, name);
      FileAttributes attributes =
          attributes(directory, at + BundleLayout.CENTRAL_BYTES + nameBytes, extraBytes);
      String path = new String(name, StandardCharsets.UTF_8);
      // In both headers the same name and the same extra field.
      long offset = local + BundleLayout.LOCAL_BYTES + nameBytes + extraBytes;
      entries.add(new Entry(new BundleMember(path, size, attributes), offset, crc));
      dataBytes += size;
      directory.position(at + length);
    }
    return new BundleIndex(entries, dataBytes);
  }

  private static FileAttributes attributes(ByteBuffer directory, int at, int extraBytes) {
    boolean known =
        extraBytes == BundleLayout.EXTRA_BYTES
            && directory.getShort(at) == BundleLayout.EXTRA_ID
            && directory.get(at + BundleLayout.EXTRA_HEADER_BYTES) == BundleLayout.EXTRA_VERSION;
    if (!known) return FileAttributes.NONE;
    int from = at + BundleLayout.EXTRA_HEADER_BYTES + 1;
    return new FileAttributes(
        directory.getInt(from),
        directory.getInt(from + Integer.BYTES),
        directory.getInt(from + 2 * Integer.BYTES),
        directory.getLong(from + 3 * Integer.BYTES));
  }

  static ByteBuffer read(BackingStore store, StorePath path, long offset, int bytes)
      throws BackingException {
    ByteBuffer target = BundleLayout.littleEndian(bytes);
    while (target.hasRemaining()) {
      int read = store.read(path, BackingStore.ANY_VERSION, offset + target.position(), target);
      if (read == 0) throw damaged(store, path);
    }
    return target.flip();
  }

  private static BackingException damaged(BackingStore store, StorePath path) {
    return new BackingException(
        new BackingFailure.WrongKind(
            "'%s' in %s is not a sound bundle of files; restore it, or move it away to go on"
                .formatted(path, store.description())));
  }
}
