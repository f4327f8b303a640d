// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a value, made so that any part of them identifies the value and the offset: each
 * cell holds value and offset, scrambled so that every byte depends on both. Offsets and lengths
 * are multiples of {@link #CELL_BYTES}.
 */
public final class Stamp {
  public static final int CELL_BYTES = Long.BYTES;

  /** No value is higher. */
  public static final long VALUE_MAX = (1L << 47) - 1;

  private static final int CHECK_BITS = 16;
  private static final long CHECK_MASK = (1L << CHECK_BITS) - 1;
  private static final int MIX_SHIFT = 33;
  private static final long MIX_FIRST = 0xff51afd7ed558ccdL;
  private static final long MIX_SECOND = 0xc4ceb9fe1a85ec53L;
  private static final long UNMIX_FIRST = inverse(MIX_FIRST);
  private static final long UNMIX_SECOND = inverse(MIX_SECOND);

  private Stamp() {}

  /** Fills what remains of a buffer with the value's bytes from an offset on. */
  public static void fill(ByteBuffer target, long value, long offset) {
    if (value < 1 || value > VALUE_MAX) throw new IllegalArgumentException("value " + value);
    if (offset % CELL_BYTES != 0 || target.remaining() % CELL_BYTES != 0) {
      throw new IllegalArgumentException(target.remaining() + " bytes at " + offset);
    }
    ByteBuffer cells = target.slice().order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < cells.limit(); at += CELL_BYTES) {
      cells.putLong(at, cell(value, offset + at));
    }
  }

  /** Which values the remaining bytes of a buffer are, read from an offset; leaves it as it is. */
  public static List<Run> identify(ByteBuffer bytes, long offset) {
    if (offset % CELL_BYTES != 0) throw new IllegalArgumentException("offset " + offset);
    ByteBuffer cells = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    List<Run> runs = new ArrayList<>();
    int start = 0;
    long value = Run.ZEROS;
    for (int at = 0; at < cells.limit(); at += CELL_BYTES) {
      long here =
          cells.limit() - at < CELL_BYTES ? Run.FOREIGN : valueOf(cells.getLong(at), offset + at);
      if (here != value) {
        if (at > start) runs.add(new Run(offset + start, at - start, value));
        start = at;
        value = here;
      }
    }
    if (cells.limit() > start) runs.add(new Run(offset + start, cells.limit() - start, value));
    return runs;
  }

  private static long cell(long value, long offset) {
    return mix(((value << CHECK_BITS) | check(value)) ^ mix(offset + 1));
  }

  private static long valueOf(long cell, long offset) {
    if (cell == 0) return Run.ZEROS;
    long plain = unmix(cell) ^ mix(offset + 1);
    long value = plain >>> CHECK_BITS;
    boolean genuine = value >= 1 && value <= VALUE_MAX && (plain & CHECK_MASK) == check(value);
    return genuine ? value : Run.FOREIGN;
  }

  private static long check(long value) {
    return mix(value) & CHECK_MASK;
  }

  private static long mix(long plain) {
    long mixed = (plain ^ (plain >>> MIX_SHIFT)) * MIX_FIRST;
    mixed = (mixed ^ (mixed >>> MIX_SHIFT)) * MIX_SECOND;
    return mixed ^ (mixed >>> MIX_SHIFT);
  }

  private static long unmix(long mixed) {
    long plain = (mixed ^ (mixed >>> MIX_SHIFT)) * UNMIX_SECOND;
    plain = (plain ^ (plain >>> MIX_SHIFT)) * UNMIX_FIRST;
    return plain ^ (plain >>> MIX_SHIFT);
  }

  /** What an odd number must be multiplied with to give 1, modulo 2^64. */
  private static long inverse(long odd) {
    long inverse = odd;
    // Newton's step doubles the number of bits that are right; an odd number begins with three.
    for (int bits = 3; bits < Long.SIZE; bits *= 2) inverse *= 2 - odd * inverse;
    return inverse;
  }
}
