// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Result;
import io.forebay.bench.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Whole paths next to their ceilings: results, and a sentence about each. */
final class WholePath {
  private final List<Result> results = new ArrayList<>();
  private final List<String> sentences = new ArrayList<>();

  void add(Hop measured, Ceiling ceiling) {
    Ceiling.Bound lowest = ceiling.lowest();
    results.add(
        measured.result().against("ceiling: " + lowest.name(), Samples.of(lowest.mibPerSecond())));
    sentences.add(ceiling.sentence(measured.name(), measured.mibPerSecond()));
  }

  /** How reads compare with writes, which the paper found to differ at the network. */
  void compare(String what, Hop write, Hop read) {
    sentences.add(
        String.format(
            Locale.ROOT,
            "%s: reads reach %.2f times the rate of writes",
            what,
            read.mibPerSecond() / write.mibPerSecond()));
  }

  List<Result> results() {
    return results;
  }

  List<String> sentences() {
    return sentences;
  }
}
