// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Progress: nothing for what is quick, a bar on a terminal, plain lines elsewhere. */
class ProgressTest {
  private static final long SECOND = 1_000_000_000L;

  private final StringWriter err = new StringWriter();
  private long nowNanos = 123 * SECOND;
  private int columns = 80;

  private Progress progress(boolean terminal) {
    return new Progress(
        "verifying", new PrintWriter(err), terminal ? () -> columns : null, () -> nowNanos);
  }

  @Test
  void whatIsQuickShowsNothing() {
    for (boolean terminal : new boolean[] {true, false}) {
      try (Progress progress = progress(terminal)) {
        nowNanos += SECOND;
        progress.update(1, 2, "1 B of 2 B");
      }
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aLineThatSaysNothingNewIsNotRepeated() {
    try (Progress progress = progress(false)) {
      for (int i = 0; i < 10; i++) {
        nowNanos += 10 * SECOND;
        progress.update(i / 5, 4, "the store is full");
      }
    }
    assertThat(err.toString().lines())
        .containsExactly("verifying: 0 %, the store is full", "verifying: 25 %, the store is full");
  }

  @Test
  void aBarIsDrawnOverItselfAndWipedAway() {
    try (Progress progress = progress(true)) {
      nowNanos += 2 * SECOND;
      progress.update(1, 4, "1 B of 4 B");
      progress.update(2, 4, "too early to be drawn again");
      nowNanos += SECOND;
      progress.update(4, 4, "done");
    }
    String quarter = "\rverifying  [=======                       ]  25 %  1 B of 4 B";
    assertThat(err.toString())
        .startsWith(quarter + "\rverifying  [==============================]  100 %  done")
        .endsWith("\r")
        .doesNotContain("too early", "\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 12, 20, 40, 60, 80})
  void noLineIsAsWideAsTheTerminal(int width) {
    columns = width;
    try (Progress progress = progress(true).fromTheStart()) {
      progress.show();
      progress.update(1, 4, "31.2 GiB of 62.5 GiB in something/with/a/name/that/is/long");
      nowNanos += SECOND;
      progress.update(1, 4, "31.2 GiB");
    }
    // Also with the ^C that a terminal echoes behind it.
    assertThat(err.toString().split("\r", -1))
        .allMatch(line -> line.isBlank() || line.length() <= Math.max(0, width - 3));
    assertThat(err.toString().split("\r", -1))
        .allMatch(line -> line.length() <= Math.max(2, width - 1));
    assertThat(err.toString()).endsWith("\r").doesNotContain("\n");
  }

  @Test
  void whatDoesNotFitIsLeftOutInOrder() {
    columns = 42;
    try (Progress progress = progress(true).fromTheStart()) {
      progress.update(1, 4, "1 B of 4 B");
      columns = 34;
      nowNanos += SECOND;
      progress.update(1, 4, "1 B of 4 B");
      columns = 22;
      nowNanos += SECOND;
      progress.update(1, 4, "1 B of 4 B");
    }
    assertThat(Arrays.stream(err.toString().split("\r", -1)).map(String::stripTrailing))
        .containsSubsequence(
            "verifying  [==      ]  25 %  1 B of 4 B",
            "verifying  25 %  1 B of 4 B", "verifying  25 %");
  }

  @Test
  void afterTheEndNothingIsDrawn() {
    Progress progress = progress(true).fromTheStart();
    progress.update(1, 4, "1 B of 4 B");
    progress.close();
    String drawn = err.toString();
    nowNanos += SECOND;
    progress.update(2, 4, "2 B of 4 B");
    assertThat(err.toString()).isEqualTo(drawn);
  }

  @Test
  void elsewhereALineNowAndThen() {
    try (Progress progress = progress(false)) {
      for (int second = 1; second <= 10; second++) {
        nowNanos += SECOND;
        progress.update(second, 10, second + " s");
      }
    }
    assertThat(err.toString()).isEqualTo("verifying: 20 %, 2 s\nverifying: 70 %, 7 s\n");
  }
}
