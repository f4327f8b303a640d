// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging.layout;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.format.ElementType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One write in a log: which parts of which variable, and where in the data its elements are.
 *
 * <pre>
 *   length of what follows the checksum (4), checksum (4), generation (8), age (4), variable (4),
 *   element type (4), checksum of the data (4), place (8) and length (8) of the data, number of parts (4)
 *   and of dimensions (4), for each part: starts, counts, strides (8 each)
 * </pre>
 *
 * Numbers are big-endian, checksums are CRC32C. An entry is written behind its data, so where there
 * is an entry the data is complete.
 *
 * @param age orders writes of different ranks: twice the number of earlier collective writes, plus
 *     one if it is part of a collective write
 * @param type the type of the elements in the data, which may differ from the variable's
 */
public record LogEntry(
    long generation,
    int age,
    int variable,
    ElementType type,
    long dataOffset,
    long dataBytes,
    int dataChecksum,
    List<Subarray> parts) {
  public static final int PREFIX_BYTES = 2 * Integer.BYTES;
  private static final int FIXED_BYTES = 6 * Integer.BYTES + 3 * Long.BYTES;

  /** Longer entries are treated as damage. */
  public static final int BYTES_MAX = 256 << 20;

  public LogEntry {
    parts = List.copyOf(parts);
  }

  /**
   * Whether it was an independent write: other ranks' writes of the same age are neither older nor
   * younger.
   */
  public boolean isOfOneRank() {
    return age % 2 == 0;
  }

  int dimensions() {
    return parts.isEmpty() ? 0 : parts.getFirst().dimensions();
  }

  public ByteBuffer encode() {
    long partBytes = 3L * Long.BYTES * dimensions();
    int length = Math.toIntExact(FIXED_BYTES + parts.size() * partBytes);
    ByteBuffer bytes = ByteBuffer.allocate(PREFIX_BYTES + length);
    bytes.position(PREFIX_BYTES);
    bytes.putLong(generation).putInt(age).putInt(variable).putInt(type.code());
    bytes.putInt(dataChecksum).putLong(dataOffset).putLong(dataBytes);
    bytes.putInt(parts.size()).putInt(dimensions());
    for (Subarray part : parts) {
      for (int d = 0; d < part.dimensions(); d++) {
        bytes.putLong(part.start(d)).putLong(part.count(d)).putLong(part.stride(d));
      }
    }
    bytes.putInt(0, length);
    bytes.putInt(Integer.BYTES, LogHeader.checksum(bytes.slice(PREFIX_BYTES, length)));
    return bytes.clear();
  }

  /** Decodes the bytes after the checksum, which was verified; null if they are invalid. */
  public static @Nullable LogEntry decode(ByteBuffer bytes) {
    if (bytes.remaining() < FIXED_BYTES) return null;
    long generation = bytes.getLong();
    int age = bytes.getInt();
    int variable = bytes.getInt();
    ElementType type = typeOf(bytes.getInt());
    int dataChecksum = bytes.getInt();
    long dataOffset = bytes.getLong();
    long dataBytes = bytes.getLong();
    int count = bytes.getInt();
    int dimensions = bytes.getInt();
    boolean fits = count >= 0 && dimensions >= 0 && variable >= 0 && dataOffset >= 0;
    if (!fits || type == null || bytes.remaining() != 3L * Long.BYTES * count * dimensions) {
      return null;
    }
    List<Subarray> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) parts.add(part(bytes, dimensions));
    return new LogEntry(
        generation, age, variable, type, dataOffset, dataBytes, dataChecksum, parts);
  }

  private static Subarray part(ByteBuffer bytes, int dimensions) {
    long[] start = new long[dimensions];
    long[] count = new long[dimensions];
    long[] stride = new long[dimensions];
    for (int d = 0; d < dimensions; d++) {
      start[d] = bytes.getLong();
      count[d] = bytes.getLong();
      stride[d] = bytes.getLong();
    }
    return Subarray.strided(start, count, stride);
  }

  private static @Nullable ElementType typeOf(int code) {
    for (ElementType type : ElementType.values()) {
      if (type.code() == code) return type;
    }
    return null;
  }
}
