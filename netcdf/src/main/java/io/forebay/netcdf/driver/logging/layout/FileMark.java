// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging.layout;

import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.store.FileStamp;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A log's record of its file, so that it is not replayed onto another file or a newer state of it.
 * The header block of a log has two places for marks, written in turn: after a torn write the
 * previous mark is intact.
 *
 * <pre>
 *   sequence (8), state (4), number of the file (8), its size (8), when it was modified (8),
 *   checksum of its definitions (4), longest write to it (8), checksum of all these (4)
 * </pre>
 *
 * @param sequence a higher one is newer
 * @param stamp the file after this program's last recorded change
 * @param definitions the checksum of the header without the number of records
 * @param writeNanosMax the longest time of a single write to the file
 */
public record FileMark(
    long sequence, State state, FileStamp stamp, int definitions, long writeNanosMax) {
  public enum State {
    /** The stamp was taken after the program's last change. */
    STEADY,
    /** The program may have changed the file after the stamp was taken. */
    CHANGING
  }

  public static final int PLACES = 2;

  private static final int STEADY_CODE = 1;
  private static final int CHANGING_CODE = 2;

  private static final int CHECKED_BYTES = 5 * Long.BYTES + 2 * Integer.BYTES;

  /** How long a mark is. */
  public static final int BYTES = CHECKED_BYTES + Integer.BYTES;

  /** The checksum of everything that a header defines. */
  public static int definitions(Header header) {
    CRC32C checksum = new CRC32C();
    checksum.update(HeaderWriter.write(header.withRecordCount(0)));
    return (int) checksum.getValue();
  }

  /** The mark after this one. */
  public FileMark next(State newState, FileStamp newStamp) {
    return new FileMark(sequence + 1, newState, newStamp, definitions, writeNanosMax);
  }

  public FileMark withDefinitions(int newDefinitions) {
    return new FileMark(sequence, state, stamp, newDefinitions, writeNanosMax);
  }

  public FileMark withWrite(long nanos) {
    long longest = Math.max(writeNanosMax, nanos);
    return new FileMark(sequence, state, stamp, definitions, longest);
  }

  /** Which of the places it is written to. */
  public int place() {
    return (int) (sequence % PLACES);
  }

  public ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(sequence).putInt(state == State.STEADY ? STEADY_CODE : CHANGING_CODE);
    bytes.putLong(stamp.number()).putLong(stamp.sizeBytes()).putLong(stamp.modifiedNanos());
    bytes.putInt(definitions).putLong(writeNanosMax);
    bytes.putInt(LogHeader.checksum(bytes.slice(0, CHECKED_BYTES)));
    return bytes.flip();
  }

  /** The newest of all marks that are whole; null if there is none. */
  public static @Nullable FileMark newest(ByteBuffer places) {
    FileMark newest = null;
    for (int place = 0; place < PLACES; place++) {
      FileMark mark = decode(places.slice(place * BYTES, BYTES));
      if (mark != null && (newest == null || mark.sequence > newest.sequence)) newest = mark;
    }
    return newest;
  }

  private static @Nullable FileMark decode(ByteBuffer bytes) {
    int checksum = LogHeader.checksum(bytes.slice(0, CHECKED_BYTES));
    long sequence = bytes.getLong();
    int state = bytes.getInt();
    FileStamp stamp = new FileStamp(bytes.getLong(), bytes.getLong(), bytes.getLong());
    int definitions = bytes.getInt();
    long writeNanosMax = bytes.getLong();
    boolean whole = bytes.getInt() == checksum && sequence > 0;
    if (!whole || (state != STEADY_CODE && state != CHANGING_CODE)) return null;
    State known = state == STEADY_CODE ? State.STEADY : State.CHANGING;
    return new FileMark(sequence, known, stamp, definitions, writeNanosMax);
  }
}
