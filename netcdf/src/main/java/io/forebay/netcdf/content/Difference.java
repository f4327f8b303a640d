// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.content;

import java.util.List;

/** One way in which two files differ. */
public sealed interface Difference {
  /** What differs, such as {@code variable 'v'}. */
  String what();

  /** Something is in one file only. */
  record Missing(String what, boolean inFirst) implements Difference {}

  /** A property differs; with its value in each file. */
  record Unlike(String what, String first, String second) implements Difference {}

  /**
   * Elements of a variable are different.
   *
   * @param count how many of them
   * @param elements how many there are
   * @param index where the first one is
   * @param first what that is in the first file
   * @param second and in the second
   */
  record Data(String what, long count, long elements, List<Long> index, String first, String second)
      implements Difference {}
}
