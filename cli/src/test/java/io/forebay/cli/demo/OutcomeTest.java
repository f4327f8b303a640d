// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo's sentence and picture, for results that no machine need have. */
class OutcomeTest {
  private static final long BYTES = 768L << 20;
  private static final long SECOND = 1_000_000_000L;

  private static Outcome of(double ring, double crash, double direct, long soundBytes) {
    return new Outcome(
        BYTES,
        soundBytes,
        (long) (ring * SECOND),
        (long) (crash * SECOND),
        (long) (direct * SECOND));
  }

  @Test
  void oneSentenceSaysIt() {
    assertThat(of(2.1, 1.2, 12.4, BYTES).headline())
        .isEqualTo(
            "Your ranks went on after 2.1 s instead of 12.4 s; a server was killed in between;"
                + " 0 of 805,306,368 bytes were lost.");
  }

  @Test
  void aRingThatWasNoFasterIsNotSaidToBe() {
    assertThat(of(14, 9, 12.58, BYTES).headline())
        .startsWith(
            "The ring was no faster on this machine: your ranks went on after 14.0 s with it and"
                + " after 12.6 s without;");
    assertThat(of(12.58, 9, 12.61, BYTES).isFaster()).isFalse();
    assertThat(of(12.4, 9, 12.6, BYTES).isFaster()).isTrue();
  }

  @Test
  void lossIsNotToldInPassing() {
    assertThat(of(2, 1, 12, BYTES - 4096).headline())
        .endsWith("; 4,096 of 805,306,368 bytes WERE LOST OR WRONG.");
  }

  @Test
  void thePictureHasOneScaleAndMarksTheKill() {
    assertThat(WaitPicture.lines(of(5, 2.5, 10, BYTES), 45))
        .containsExactly(
            "with the ring  ====X=====  5.0 s",
            "without it     ====================  10.0 s",
            "               X: a server is killed");
  }

  @ParameterizedTest
  @ValueSource(ints = {36, 60, 79, 80})
  void thePictureFits(int chars) {
    for (double ring : new double[] {0.001, 5, 1234}) {
      for (double direct : new double[] {0.001, 12.6, 4321.5}) {
        assertThat(WaitPicture.lines(of(ring, ring, direct, BYTES), chars))
            .allMatch(line -> line.length() <= chars)
            .anyMatch(line -> line.contains("X  ") || line.contains("X="));
      }
    }
  }
}
