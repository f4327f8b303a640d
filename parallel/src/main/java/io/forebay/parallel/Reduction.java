// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

/** How numbers of many ranks become one. */
public enum Reduction {
  MIN,
  MAX,
  SUM;

  long apply(long a, long b) {
    return switch (this) {
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case SUM -> a + b;
    };
  }

  double apply(double a, double b) {
    return switch (this) {
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case SUM -> a + b;
    };
  }
}
