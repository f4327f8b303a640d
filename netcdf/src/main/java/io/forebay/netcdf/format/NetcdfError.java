// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

/** What can be wrong with a request or a file; most have a counterpart in the C libraries. */
public enum NetcdfError {
  /** The bytes are not a netCDF file of a version known here, or contradict themselves. */
  MALFORMED(1),
  /** The file ends within its header. */
  TRUNCATED(2),
  /** The call is not possible now: define mode, data mode, read-only, closed. */
  WRONG_MODE(3),
  /** A name that netCDF does not allow. */
  BAD_NAME(4),
  /** The name is taken. */
  NAME_IN_USE(5),
  /** No dimension, variable or attribute of that name or number. */
  NOT_FOUND(6),
  /** A dimension's length, or a second unlimited dimension, or an unlimited one not in front. */
  BAD_DIMENSION(7),
  /** The element type does not exist in this version of the format. */
  BAD_TYPE(8),
  /** Text into numbers or numbers into text. */
  TEXT_AND_NUMBERS(9),
  /** Start, count or stride reach outside of the variable. */
  OUT_OF_BOUNDS(10),
  /** The memory given has another number of elements than the part of the variable. */
  WRONG_LENGTH(11),
  /** Some values do not fit the type; they became fill values, all others were transferred. */
  OUT_OF_RANGE(12),
  /** Variables or offsets too large for this version of the format. */
  TOO_LARGE(13),
  /** Ranks made different definitions, or opened different files. */
  RANKS_DIFFER(14),
  /** The file exists already, and replacing it was not asked for. */
  EXISTS(15),
  /** Too many requests are pending. */
  TOO_MUCH_PENDING(16),
  /** The storage failed. */
  STORAGE(17),
  /** A setting that is not understood. */
  BAD_HINT(18),
  /** A log of an earlier run must be recovered or discarded first, or cannot be read. */
  LOG(19),
  /** No buffer for writes is attached, or it has no room, or it is in use. */
  BUFFER(20),
  /** A native library is missing, or refuses a call. */
  LIBRARY(21);

  private final int code;

  NetcdfError(int code) {
    this.code = code;
  }

  /** A stable number above 0, which ranks exchange. */
  public int code() {
    return code;
  }

  /** The error with that number. */
  public static NetcdfError of(int code) {
    for (NetcdfError error : values()) {
      if (error.code == code) return error;
    }
    throw new IllegalArgumentException("no error has the number " + code);
  }
}
