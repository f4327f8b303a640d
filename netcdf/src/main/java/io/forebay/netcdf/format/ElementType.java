// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of elements, in files and in memory. */
public enum ElementType {
  BYTE(1, 1, "byte"),
  CHAR(2, 1, "char"),
  SHORT(3, 2, "short"),
  INT(4, 4, "int"),
  FLOAT(5, 4, "float"),
  DOUBLE(6, 8, "double"),
  UBYTE(7, 1, "ubyte"),
  USHORT(8, 2, "ushort"),
  UINT(9, 4, "uint"),
  INT64(10, 8, "int64"),
  UINT64(11, 8, "uint64");

  private static final int CODE_MAX_BEFORE_CDF5 = 6;
  private static final double FILL_FRACTION = 9.9692099683868690e+36;

  private final int code;
  private final int sizeBytes;
  private final String cdlName;

  ElementType(int code, int sizeBytes, String cdlName) {
    this.code = code;
    this.sizeBytes = sizeBytes;
    this.cdlName = cdlName;
  }

  /** The number that headers have for it. */
  public int code() {
    return code;
  }

  public int sizeBytes() {
    return sizeBytes;
  }

  /** The name in CDL, the text form of netCDF files. */
  public String cdlName() {
    return cdlName;
  }

  /** The type of a header's number; null if there is none in that version. */
  static @Nullable ElementType of(int code, Format format) {
    for (ElementType type : values()) {
      if (type.code == code && type.existsIn(format)) return type;
    }
    return null;
  }

  public boolean existsIn(Format format) {
    return code <= CODE_MAX_BEFORE_CDF5 || format == Format.CDF5;
  }

  public boolean isFraction() {
    return this == FLOAT || this == DOUBLE;
  }

  public boolean isUnsigned() {
    return this == UBYTE || this == USHORT || this == UINT || this == UINT64;
  }

  /** The value of an unwritten element, as an integer; see {@link #fillFraction}. */
  public long fillInteger() {
    return switch (this) {
      case BYTE -> -127;
      case CHAR -> 0;
      case SHORT -> -32_767;
      case INT -> -2_147_483_647;
      case UBYTE -> 255;
      case USHORT -> 65_535;
      case UINT -> 4_294_967_295L;
      case INT64 -> -9_223_372_036_854_775_806L;
      case UINT64 -> -2;
      case FLOAT, DOUBLE -> throw new IllegalStateException(this + " holds fractions");
    };
  }

  /** The same for types of fractions. */
  public double fillFraction() {
    if (!isFraction()) throw new IllegalStateException(this + " holds whole numbers");
    return this == FLOAT ? (float) FILL_FRACTION : FILL_FRACTION;
  }

  /** The type of a CDL name, such as {@code double}. */
  public static ElementType named(String cdlName) {
    for (ElementType type : values()) {
      if (type.cdlName.equals(cdlName.toLowerCase(Locale.ROOT))) return type;
    }
    throw new IllegalArgumentException("'" + cdlName + "' is no element type");
  }
}
