// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BriefTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void figures() {
    assertThat(Brief.size(1536)).isEqualTo("1.5K");
    assertThat(Brief.size((1L << 30) - 1)).isEqualTo("1023M");
    assertThat(Brief.duration(119 * SECOND)).isEqualTo("119s");
    assertThat(Brief.duration(120 * SECOND)).isEqualTo("2m");
    assertThat(Brief.duration(100 * 3600 * SECOND)).isEqualTo("4d");
  }

  @Test
  void words() {
    assertThat(Brief.end("abcdef", 6)).isEqualTo("abcdef");
    assertThat(Brief.end("abcdef", 4)).isEqualTo("…def");
    assertThat(Brief.start("ab cdef", 4)).isEqualTo("ab…");
    assertThat(Brief.wrap("one two three", 7)).containsExactly("one two", "three");
    assertThat(Brief.wrap("incomprehensible word", 5)).containsExactly("incomprehensible", "word");
  }
}
