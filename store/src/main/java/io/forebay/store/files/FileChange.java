// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.files;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.index.Extent;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of the files' journal. Replaying all entries in order restores the files; replaying one
 * twice changes nothing.
 *
 * <pre>
 *   safe      u64  every entry below this index was safe when this one was written
 *   kind      u8
 *   instance  u32
 *   file      u64
 *   extents:  count u32, then 48 bytes each:
 *             offset u64, publish u64, session u64, sequence u64,
 *             lengthBytes u32, recordOffset u32, recordBytes u32, group u32
 *   truncate: publish u64, size u64
 *   delete, begin: nothing
 * </pre>
 */
sealed interface FileChange {
  /** A journal entry that is no change of a file. */
  final class MalformedChange extends Exception {
    private static final long serialVersionUID = 1;

    MalformedChange(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** A change as a journal entry. */
  record Entry(FileChange change, long safeBefore) {}

  record Extents(FileId file, List<Extent> extents) implements FileChange {}

  record Truncate(FileId file, long publish, long sizeBytes) implements FileChange {}

  record Delete(FileId file) implements FileChange {}

  /** The journal was rewritten from here on: no earlier entry is needed. */
  record Begin() implements FileChange {
    @Override
    public FileId file() {
      return NO_FILE;
    }
  }

  FileId NO_FILE = new FileId(0, 0);

  byte KIND_EXTENTS = 1;
  byte KIND_TRUNCATE = 2;
  byte KIND_DELETE = 3;
  byte KIND_BEGIN = 4;

  int HEAD_BYTES = Long.BYTES + Byte.BYTES + Integer.BYTES + Long.BYTES;
  int EXTENT_BYTES = 4 * Long.BYTES + 4 * Integer.BYTES;

  FileId file();

  /** How many extents fit into an entry of that length. */
  static int extentsMax(int payloadBytes) {
    return (payloadBytes - HEAD_BYTES - Integer.BYTES) / EXTENT_BYTES;
  }

  default ByteBuffer encode(long safeBefore) {
    return switch (this) {
      case Extents e -> {
        ByteBuffer out =
            head(
                safeBefore,
                KIND_EXTENTS,
                file(),
                Integer.BYTES + e.extents().size() * EXTENT_BYTES);
        out.putInt(e.extents().size());
        for (Extent extent : e.extents()) put(out, extent);
        yield out.flip();
      }
      case Truncate t ->
          head(safeBefore, KIND_TRUNCATE, file(), 2 * Long.BYTES)
              .putLong(t.publish())
              .putLong(t.sizeBytes())
              .flip();
      case Delete d -> head(safeBefore, KIND_DELETE, file(), 0).flip();
      case Begin b -> head(safeBefore, KIND_BEGIN, NO_FILE, 0).flip();
    };
  }

  static Entry decode(ByteBuffer in) throws MalformedChange {
    try {
      long safeBefore = in.getLong();
      byte kind = in.get();
      FileId file = new FileId(in.getInt(), in.getLong());
      return new Entry(change(kind, file, in), safeBefore);
    } catch (BufferUnderflowException | IllegalArgumentException malformed) {
      throw new MalformedChange("journal entry is no change of a file", malformed);
    }
  }

  private static FileChange change(byte kind, FileId file, ByteBuffer in) {
    return switch (kind) {
      case KIND_EXTENTS -> {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / EXTENT_BYTES) {
          throw new IllegalArgumentException(count + " extents in " + in.remaining() + " bytes");
        }
        List<Extent> extents = new ArrayList<>(count);
        for (int i = 0; i < count; i++) extents.add(extent(in));
        yield new Extents(file, extents);
      }
      case KIND_TRUNCATE -> new Truncate(file, in.getLong(), in.getLong());
      case KIND_DELETE -> new Delete(file);
      case KIND_BEGIN -> new Begin();
      default -> throw new IllegalArgumentException("unknown kind " + kind);
    };
  }

  private static ByteBuffer head(long safeBefore, byte kind, FileId file, int bodyBytes) {
    return ByteBuffer.allocate(HEAD_BYTES + bodyBytes)
        .putLong(safeBefore)
        .put(kind)
        .putInt(file.instance())
        .putLong(file.number());
  }

  private static void put(ByteBuffer out, Extent extent) {
    out.putLong(extent.offset())
        .putLong(extent.publish())
        .putLong(extent.record().session())
        .putLong(extent.record().sequence())
        .putInt(extent.lengthBytes())
        .putInt(extent.recordOffset())
        .putInt(extent.recordBytes())
        .putInt(extent.group());
  }

  private static Extent extent(ByteBuffer in) {
    long offset = in.getLong();
    long publish = in.getLong();
    RecordId record = new RecordId(in.getLong(), in.getLong());
    int lengthBytes = in.getInt();
    int recordOffset = in.getInt();
    return new Extent(offset, lengthBytes, record, recordOffset, in.getInt(), publish, in.getInt());
  }
}
