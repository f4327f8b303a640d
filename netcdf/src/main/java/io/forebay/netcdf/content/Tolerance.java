// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.content;

/**
 * How far two numbers may be apart and count as the same: by their difference, or by its ratio to
 * the larger one.
 */
public record Tolerance(double absolute, double relative) {
  /** Only what is the same. */
  public static final Tolerance NONE = new Tolerance(0, 0);

  public Tolerance {
    if (!(absolute >= 0) || !(relative >= 0)) {
      throw new IllegalArgumentException("tolerance " + absolute + "," + relative);
    }
  }

  /** Whether they count as the same; what is no number is the same as itself. */
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
