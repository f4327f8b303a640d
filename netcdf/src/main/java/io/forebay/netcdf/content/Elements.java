// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.content;

import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A variable's elements from the first to the last, a piece at a time, so that variables of any
 * size take the same memory. One thread at a time.
 */
public final class Elements {
  /** How much is read at a time. */
  private static final int PIECE_BYTES = 1 << 20;

  private final SharedFile file;
  private final Layout layout;
  private final Variable variable;
  private final boolean records;
  private final long partBytes;
  private final long parts;
  private final byte[] piece = new byte[PIECE_BYTES];
  private long part;
  private long inPart;

  public Elements(SharedFile file, Header header, Variable variable) {
    this.file = file;
    this.variable = variable;
    layout = Layout.of(header);
    records = header.isRecord(variable);
    partBytes = header.dataBytes(variable);
    parts = partBytes == 0 ? 0 : records ? header.recordCount() : 1;
  }

  /** How many elements there are in all. */
  public long count() {
    return Math.multiplyExact(parts, partBytes / variable.type().sizeBytes());
  }

  /** The next elements, big-endian, valid until the next call; none at the end. */
  public ByteBuffer next() throws IOException {
    if (part == parts) return ByteBuffer.wrap(piece, 0, 0);
    long apart = layout.recordBytes();
    if (records && apart <= PIECE_BYTES / 2 && inPart == 0) return manyParts(apart);
    int bytes = (int) Math.min(PIECE_BYTES, partBytes - inPart);
    read(bytes, layout.offset(variable, part) + inPart);
    inPart += bytes;
    if (inPart == partBytes) {
      part++;
      inPart = 0;
    }
    return ByteBuffer.wrap(piece, 0, bytes).slice();
  }

  /** Short records are read together with the bytes between them, in one call. */
  private ByteBuffer manyParts(long apart) throws IOException {
    int count = (int) Math.min((PIECE_BYTES - partBytes) / apart + 1, parts - part);
    read((int) ((count - 1) * apart + partBytes), layout.offset(variable, part));
    for (int i = 1; i < count; i++) {
      System.arraycopy(piece, (int) (i * apart), piece, (int) (i * partBytes), (int) partBytes);
    }
    part += count;
    return ByteBuffer.wrap(piece, 0, (int) (count * partBytes)).slice();
  }

  private void read(int bytes, long offset) throws IOException {
    long read = file.read(MemorySegment.ofArray(piece).asSlice(0, bytes), offset);
    // Unwritten bytes may be missing at the end of a file.
    Arrays.fill(piece, (int) read, bytes, (byte) 0);
  }
}
