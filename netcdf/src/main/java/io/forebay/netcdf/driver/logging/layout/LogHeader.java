// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging.layout;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The start of a log's entries: {@link #BYTES} bytes, rewritten whenever the log restarts.
 *
 * <pre>
 *   magic (8), version (4), length of the fields (4), their checksum (4), fields:
 *   generation (8), run (8), data is little-endian (4), rank (4), ranks (4),
 *   rank in its node (4), ranks of the node in this log (4), length and UTF-8 of the file's path
 *   at {@link #MARKS_OFFSET}, separately: the marks of the file, see {@link FileMark}
 * </pre>
 *
 * Numbers are big-endian, the checksum is CRC32C. Entries of another generation than the header's
 * are leftovers: their writes are already in the file. {@code RankLog} explains generations.
 *
 * @param run a random number that all logs of one run of a program have
 * @param order the byte order of the data
 * @param place this rank's number among the sharers of the log
 * @param sharers the number of ranks that share it
 */
public record LogHeader(
    long generation,
    long run,
    ByteOrder order,
    int rank,
    int ranks,
    int place,
    int sharers,
    String path) {
  public static final int BYTES = 8 << 10;

  /** The offset of the file's marks; the bytes before it are written as a whole. */
  public static final int MARKS_OFFSET = 6 << 10;

  private static final long MAGIC = 0x464f52454e434c47L;
  private static final int VERSION = 2;
  private static final int PATH_BYTES_MAX = 4096;
  private static final int PREFIX_BYTES = Long.BYTES + 3 * Integer.BYTES;

  public LogHeader ofGeneration(long other) {
    return new LogHeader(other, run, order, rank, ranks, place, sharers, path);
  }

  /** Everything in front of the marks. */
  public ByteBuffer encode() {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    if (name.length > PATH_BYTES_MAX) throw new IllegalArgumentException("path " + path);
    ByteBuffer bytes = ByteBuffer.allocate(MARKS_OFFSET);
    bytes.position(PREFIX_BYTES);
    bytes.putLong(generation).putLong(run).putInt(order == ByteOrder.LITTLE_ENDIAN ? 1 : 0);
    bytes.putInt(rank).putInt(ranks).putInt(place).putInt(sharers);
    bytes.putInt(name.length).put(name);
    int length = bytes.position() - PREFIX_BYTES;
    int checksum = checksum(bytes.slice(PREFIX_BYTES, length));
    bytes.putLong(0, MAGIC).putInt(Long.BYTES, VERSION);
    bytes.putInt(Long.BYTES + Integer.BYTES, length);
    bytes.putInt(Long.BYTES + 2 * Integer.BYTES, checksum);
    return bytes.clear();
  }

  public static LogHeader decode(ByteBuffer bytes, String name) throws NetcdfException {
    if (bytes.remaining() < BYTES || bytes.getLong() != MAGIC) {
      throw new NetcdfException(NetcdfError.LOG, name + " is not a log");
    }
    int version = bytes.getInt();
    if (version != VERSION) {
      throw new NetcdfException(
          NetcdfError.LOG,
          "%s is a log of version %d, of another Forebay; recover it with that one, or discard it"
              .formatted(name, version));
    }
    int length = bytes.getInt();
    int checksum = bytes.getInt();
    if (length < 0
        || length > bytes.remaining()
        || checksum != checksum(bytes.slice(bytes.position(), length))) {
      throw new NetcdfException(NetcdfError.LOG, name + " has a damaged header");
    }
    long generation = bytes.getLong();
    long run = bytes.getLong();
    ByteOrder order = bytes.getInt() == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    int rank = bytes.getInt();
    int ranks = bytes.getInt();
    int place = bytes.getInt();
    int sharers = bytes.getInt();
    byte[] path = new byte[bytes.getInt()];
    bytes.get(path);
    String text = new String(path, StandardCharsets.UTF_8);
    return new LogHeader(generation, run, order, rank, ranks, place, sharers, text);
  }

  public static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }
}
