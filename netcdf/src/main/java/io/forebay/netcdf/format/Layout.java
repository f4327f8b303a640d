// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.util.ArrayList;
import java.util.List;

/**
 * The positions of data: after the header the variables of fixed size, in their order, then the
 * records, each with its part of every record variable, in their order. Every part begins at a
 * multiple of four bytes, with one exception of the format: the records of a file with a single
 * record variable have no padding.
 */
public final class Layout {
  /** Everything in the file begins at a multiple of this. */
  static final int ALIGNMENT_BYTES = 4;

  private final Header header;
  private final long recordBytes;

  private Layout(Header header) {
    this.header = header;
    recordBytes = recordBytes(header);
  }

  /** The layout of a header whose variables have their positions. */
  public static Layout of(Header header) {
    return new Layout(header);
  }

  /**
   * Gives every variable its place. Variables that had one keep it or move towards the end, never
   * towards the start, so that data can be moved without another copy of it.
   *
   * @param headerAlignmentBytes where the first variable may begin: a multiple of this, which
   *     leaves the header room to grow
   * @throws NetcdfException if the file would be too large for its format
   */
  public static Header place(Header header, long headerAlignmentBytes) throws NetcdfException {
    try {
      return placed(header, headerAlignmentBytes);
    } catch (ArithmeticException e) {
      throw new NetcdfException(
          NetcdfError.TOO_LARGE, "the variables are too large for any file", e);
    }
  }

  private static Header placed(Header header, long headerAlignmentBytes) throws NetcdfException {
    requireSizes(header);
    long headerBytes = HeaderWriter.length(header);
    if (headerBytes > HeaderReader.HEADER_BYTES_MAX) {
      throw new NetcdfException(
          NetcdfError.TOO_LARGE,
          "the definitions take %d bytes, and a header may have %d"
              .formatted(headerBytes, HeaderReader.HEADER_BYTES_MAX));
    }
    long next = aligned(headerBytes, Math.max(ALIGNMENT_BYTES, headerAlignmentBytes));
    // If the header becomes shorter, its room stays reserved for later growth.
    next = Math.max(next, firstBegin(header, next));
    List<Variable> placed = new ArrayList<>(header.variables());
    for (boolean records : new boolean[] {false, true}) {
      boolean first = true;
      for (int i = 0; i < placed.size(); i++) {
        Variable variable = placed.get(i);
        if (header.isRecord(variable) != records) continue;
        // Only the first of a section may leave a gap: parts of a record follow one another.
        if (first || !records) next = Math.max(next, variable.begin());
        first = false;
        if (next > header.format().offsetMax()) {
          throw new NetcdfException(
              NetcdfError.TOO_LARGE,
              "variable '%s' would begin at %d, too far for %s"
                  .formatted(variable.name(), next, header.format()));
        }
        placed.set(i, variable.withBegin(next));
        next = Math.addExact(next, aligned(header.dataBytes(variable), ALIGNMENT_BYTES));
      }
    }
    return header.withVariables(placed);
  }

  private static long firstBegin(Header header, long otherwise) {
    long first = Long.MAX_VALUE;
    for (Variable variable : header.variables()) {
      if (variable.begin() != Variable.NOWHERE) first = Math.min(first, variable.begin());
    }
    return first == Long.MAX_VALUE ? otherwise : first;
  }

  /** The format's rule on large variables: only the last one, with nothing behind it, may be. */
  static void requireSizes(Header header) throws NetcdfException {
    long max = header.format().variableBytesMax();
    Variable largeFixed = null;
    Variable largeRecord = null;
    boolean records = false;
    Variable lastFixed = null;
    Variable lastRecord = null;
    for (Variable variable : header.variables()) {
      boolean large = header.dataBytes(variable) > max;
      if (header.isRecord(variable)) {
        records = true;
        if (largeRecord != null) tooLarge(largeRecord, header);
        if (large) largeRecord = variable;
        lastRecord = variable;
      } else {
        if (largeFixed != null) tooLarge(largeFixed, header);
        if (large) largeFixed = variable;
        lastFixed = variable;
      }
    }
    if (largeFixed != null && (records || !largeFixed.equals(lastFixed)))
      tooLarge(largeFixed, header);
    if (largeRecord != null && !largeRecord.equals(lastRecord)) tooLarge(largeRecord, header);
  }

  private static void tooLarge(Variable variable, Header header) throws NetcdfException {
    throw new NetcdfException(
        NetcdfError.TOO_LARGE,
        "variable '%s' has %d bytes; in %s only the last variable may have more than %d"
            .formatted(
                variable.name(),
                header.dataBytes(variable),
                header.format(),
                header.format().variableBytesMax()));
  }

  /** The distance between consecutive records. */
  private static long recordBytes(Header header) {
    long bytes = 0;
    int count = 0;
    Variable last = null;
    for (Variable variable : header.variables()) {
      if (!header.isRecord(variable)) continue;
      bytes = Math.addExact(bytes, aligned(header.dataBytes(variable), ALIGNMENT_BYTES));
      last = variable;
      count++;
    }
    return count == 1 && last != null ? header.dataBytes(last) : bytes;
  }

  static long aligned(long bytes, long alignment) {
    return Math.multiplyExact(Math.ceilDiv(bytes, alignment), alignment);
  }

  public Header header() {
    return header;
  }

  public long recordBytes() {
    return recordBytes;
  }

  /** Where a record's part of a variable begins; the variable itself if it has no records. */
  public long offset(Variable variable, long record) {
    return header.isRecord(variable)
        ? Math.addExact(variable.begin(), Math.multiplyExact(record, recordBytes))
        : variable.begin();
  }

  /** The length of a file with this many records, including padding at its end. */
  public long fileBytes(long recordCount) {
    long end = HeaderWriter.length(header);
    for (Variable variable : header.variables()) {
      long bytes = header.dataBytes(variable);
      if (!header.isRecord(variable)) {
        end = Math.max(end, variable.begin() + aligned(bytes, ALIGNMENT_BYTES));
      } else if (recordCount > 0) {
        long padded = Math.min(aligned(bytes, ALIGNMENT_BYTES), recordBytes);
        end = Math.max(end, Math.addExact(offset(variable, recordCount - 1), padded));
      }
    }
    return end;
  }
}
