// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogPaceTest {
  private long now = -5;
  private final List<String> lines = new ArrayList<>();
  private final LogPace pace = new LogPace(() -> now);

  private void say(String kind, String sentence) {
    pace.log(kind, () -> sentence, lines::add);
  }

  @Test
  void theFirstIsLoggedAndThenOneInAWhile() {
    for (int i = 0; i < 1000; i++) say("malformed", "peer " + i + " sent garbage");
    assertThat(lines).containsExactly("peer 0 sent garbage");
    now += LogPace.PAUSE_NANOS;
    say("malformed", "peer 7 sent garbage");
    assertThat(lines).last().isEqualTo("peer 7 sent garbage (and 999 more before it)");
    now += LogPace.PAUSE_NANOS;
    say("malformed", "peer 8 sent garbage");
    assertThat(lines).last().isEqualTo("peer 8 sent garbage");
  }

  @Test
  void eachKindHasAPaceOfItsOwn() {
    say("malformed", "garbage");
    say("refused", "full");
    assertThat(lines).containsExactly("garbage", "full");
  }

  @Test
  void kindsAreBounded() {
    for (int i = 0; i < 10 * LogPace.KINDS_MAX; i++) say("kind " + i, "line");
    assertThat(lines).hasSize(LogPace.KINDS_MAX + 1);
  }
}
