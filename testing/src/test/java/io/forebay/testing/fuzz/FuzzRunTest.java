// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the fuzzing itself: what it plays, and that it notices what fails. */
class FuzzRunTest {
  private static final int MAGIC_BYTES = 4;

  @Test
  void playsValidInputsAndChangedOnes() {
    List<byte[]> played = new ArrayList<>();
    new FuzzRun(FuzzRunTest.class, "none", List.of(new byte[] {1, 2, 3})).play(played::add, 500);
    assertThat(played).hasSize(501);
    assertThat(played.get(0)).containsExactly(1, 2, 3);
    assertThat(played.stream().mapToInt(input -> input.length).distinct().count())
        .isGreaterThan(10);
  }

  @Test
  void aFailureShowsItsInput() {
    FuzzRun run = new FuzzRun(FuzzRunTest.class, "none", List.of(new byte[] {1, 2, 3}));
    assertThatThrownBy(() -> run.play(FuzzRunTest::failing, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("AQID")
        .hasRootCauseMessage("always");
  }

  private static void failing(byte[] input) {
    throw new IllegalStateException("always");
  }

  @Test
  void allocationsAreBoundedByTheLengthOfTheInput() {
    AllocationBound bound = new AllocationBound(100_000, 10);
    assertThatCode(() -> bound.check(10, () -> allocate(1_000))).doesNotThrowAnyException();
    assertThatThrownBy(() -> bound.check(10, () -> allocate(1_000_000)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("an input of 10 bytes");
    assertThatCode(() -> bound.check(100_000, () -> allocate(1_000_000)))
        .doesNotThrowAnyException();
  }

  private static void allocate(int bytes) {
    assertThat(new byte[bytes]).hasSize(bytes);
  }

  /** Found byte by byte, each of which reaches new code: at random it would take years. */
  @Test
  void coverageLeadsToAnInputThatFails() {
    CoverageRun run = new CoverageRun(FuzzRunTest.class, "magic");
    assertThatThrownBy(() -> run.run(List.of(new byte[MAGIC_BYTES]), 2))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the magic bytes");
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length < MAGIC_BYTES || input[0] != 'F') return;
    if (input[1] != 'B' || input[2] != 'A') return;
    if (input[3] == 'Y') throw new IllegalStateException("the magic bytes");
  }
}
