// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.Result.Better;
import org.junit.jupiter.api.Test;

/** The mathematics of results: medians, ratios, aims in both directions. */
class ResultTest {
  private static Result result(Better better, double value) {
    return Result.of("name", "unit", better, Samples.of(value));
  }

  @Test
  void medianMinimumAndMaximum() {
    Samples odd = Samples.of(5, 1, 9);
    assertThat(odd.median()).isEqualTo(5);
    assertThat(odd.min()).isEqualTo(1);
    assertThat(odd.max()).isEqualTo(9);
    assertThat(odd.count()).isEqualTo(3);
    assertThat(Samples.of(4, 1, 2, 3).median()).isEqualTo(2.5);
    assertThatThrownBy(Samples::of).hasMessage("no samples");
  }

  @Test
  void ratioIsThatOfTheMedians() {
    Result result =
        Result.of("name", "unit", Better.HIGHER, Samples.of(1, 8, 9))
            .against("base", Samples.of(2, 10, 1000));
    assertThat(result.ratio()).isEqualTo(0.8);
    assertThat(result.met()).isNull();
    assertThat(result(Better.HIGHER, 3).ratio()).isNull();
  }

  @Test
  void moreIsBetterMakesTheAimALowerBound() {
    Result result = result(Better.HIGHER, 80).against("base", Samples.of(100));
    assertThat(result.aimingAt(0.8).met()).isTrue();
    assertThat(result.aimingAt(0.7).met()).isTrue();
    assertThat(result.aimingAt(0.81).met()).isFalse();
  }

  @Test
  void lessIsBetterMakesTheAimAnUpperBound() {
    Result result = result(Better.LOWER, 200).against("base", Samples.of(100));
    assertThat(result.aimingAt(2).met()).isTrue();
    assertThat(result.aimingAt(4).met()).isTrue();
    assertThat(result.aimingAt(1.9).met()).isFalse();
  }

  @Test
  void withoutABaselineTheAimIsForTheValue() {
    assertThat(result(Better.LOWER, 40).aimingAt(64).met()).isTrue();
    assertThat(result(Better.LOWER, 65).aimingAt(64).met()).isFalse();
    assertThat(result(Better.HIGHER, 65).aimingAt(64).met()).isTrue();
  }
}
