// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import java.util.Set;

/**
 * Which parts of a file are written as CDL, and how.
 *
 * @param name the file's name in the text
 * @param variables whose data is written; empty for all of {@code data}
 * @param lineChars the maximum length of data lines
 * @param precision how many digits fractions have
 */
public record CdlOptions(
    String name, Data data, Set<String> variables, int lineChars, Precision precision) {
  /** The variables whose data is written. */
  public enum Data {
    /** That of all variables. */
    ALL,
    /** Data of coordinate variables: they have one dimension, and its name. */
    COORDINATES,
    NONE
  }

  /**
   * How many digits fractions have.
   *
   * @param given whether the user set it; then it overrides the variables' own settings
   */
  public record Precision(int floatDigits, int doubleDigits, boolean given) {
    /** What ncdump prints: enough to look at, not always enough for the same bits. */
    public static final Precision DEFAULT = new Precision(7, 15, false);

    /** Enough digits to read back the same bits. */
    public static final Precision EXACT = new Precision(9, 17, true);
  }

  public static final int LINE_CHARS = 80;

  public CdlOptions {
    variables = Set.copyOf(variables);
  }

  /** Everything, as ncdump has it. */
  public static CdlOptions all(String name) {
    return new CdlOptions(name, Data.ALL, Set.of(), LINE_CHARS, Precision.DEFAULT);
  }

  public CdlOptions with(Data newData) {
    return new CdlOptions(name, newData, variables, lineChars, precision);
  }

  public CdlOptions with(Precision newPrecision) {
    return new CdlOptions(name, data, variables, lineChars, newPrecision);
  }
}
