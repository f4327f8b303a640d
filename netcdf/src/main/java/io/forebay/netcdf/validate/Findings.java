// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

import io.forebay.netcdf.validate.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects findings, a bounded number of them. */
final class Findings {
  private static final int MAX = 1000;

  private final List<Finding> all = new ArrayList<>();

  void error(long offset, String sentence) {
    add(Severity.ERROR, offset, sentence);
  }

  void warning(long offset, String sentence) {
    add(Severity.WARNING, offset, sentence);
  }

  private void add(Severity severity, long offset, String sentence) {
    if (all.size() < MAX) all.add(new Finding(severity, offset, sentence));
  }

  List<Finding> inOrder() {
    List<Finding> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingLong(Finding::offset));
    return sorted;
  }
}
