// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.content;

/** The tolerance for equal numbers: by their difference, or by its ratio to the larger one. */
public record Tolerance(double absolute, double relative) {
  /** Only identical values are equal. */
  public static final Tolerance NONE = new Tolerance(0, 0);

  public Tolerance {
    if (!(absolute >= 0) || !(relative >= 0)) {
      throw new IllegalArgumentException("tolerance " + absolute + "," + relative);
    }
  }

  /** Whether two numbers count as equal; NaN equals itself. */
  public boolean covers(double a, double b) {
    if (a == b || (Double.isNaN(a) && Double.isNaN(b))) return true;
    double apart = Math.abs(a - b);
    if (!(apart < Double.POSITIVE_INFINITY)) return false;
    return apart <= absolute || apart <= relative * Math.max(Math.abs(a), Math.abs(b));
  }

  boolean isNone() {
    return absolute == 0 && relative == 0;
  }
}
