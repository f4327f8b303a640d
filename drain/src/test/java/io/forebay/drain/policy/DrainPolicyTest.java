// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.drain.Seeds;
import io.forebay.drain.policy.DrainPolicy.Waiting;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DrainPolicyTest {
  private static final Waiting OPEN = new Waiting(true, false, false, false, 0);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "close",
        "request",
        "end",
        "every=30s",
        "every=1500ms",
        "every=5m",
        "every=2h",
        "every=1d",
        "fill=60%",
        "close,every=30s,fill=60%,end,rate=200MB/s,priority=9",
        "request,rate=64MiB/s",
        "end,rate=1025B/s",
      })
  void whatIsPrintedIsWhatIsRead(String text) {
    assertThat(DrainPolicy.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Close, End | close,end",
        "request,close | close",
        "close,priority=5 | close",
        "every=90s,fill=60 | every=90s,fill=60%",
        "every=120s | every=2m",
        "end,rate=1024KB/s | end,rate=1024KB/s",
        "end,rate=1048576/s | end,rate=1MiB/s",
      })
  void peopleMayWriteItOtherwise(String text, String printed) {
    assertThat(DrainPolicy.parse(text)).hasToString(printed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"                | '' is not known",
        "sometimes         | 'sometimes' is not known",
        "close,,end        | '' is not known",
        "close=now         | 'close=now' is not known",
        "every             | 'every' is not known",
        "close,close       | stands twice",
        "every=soon        | 'soon' is no time",
        "every=0s          | is no time",
        "every=10ms        | at most every second",
        "every=31d         | at least every 30 days",
        "fill=101%         | 1 to 100 %",
        "fill=0%           | always reached",
        "fill=             | has no number",
        "priority=5        | does not say when",
        "close,priority=10 | 0 to 9",
        "close,priority=x  | has no number",
        "close,rate=200MB  | no rate",
        "close,rate=0/s    | drains nothing",
        "close,rate=fast/s | is not a size",
        "close,bundle=1MiB | 'bundle' is now 'pack'",
        "close,pack=0      | shorter than 0 bytes",
        "close,pack=5MiB   | at most 4 MiB",
        "close,pack=tiny   | is not a size",
      })
  void whatIsWrongIsNamedWithTheRemedy(String text, String why) {
    assertThatThrownBy(() -> DrainPolicy.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "' is not a drain policy: ")
        .hasMessageContaining(why)
        .hasMessageContaining("write one or more of close");
  }

  @Test
  void randomPoliciesComeBackFromTheirText() {
    Seeds.run(
        2_000,
        random -> {
          DrainPolicy policy =
              new DrainPolicy(
                  random.nextBoolean(),
                  random.nextBoolean() ? 0 : random.nextLong(1000, DrainPolicy.EVERY_MILLIS_MAX),
                  random.nextInt(101),
                  random.nextBoolean(),
                  random.nextLong(1L << random.nextInt(63)),
                  random.nextInt(10),
                  random.nextBoolean(),
                  random.nextLong(DrainPolicy.PACK_BYTES_MAX + 1));
          assertThat(DrainPolicy.parse(policy.toString())).isEqualTo(policy);
        });
  }

  @Test
  void eachConditionHasItsCause() {
    Waiting closed = new Waiting(false, false, false, false, 0);
    Waiting requested = new Waiting(true, true, false, false, 0);
    Waiting ending = new Waiting(false, false, true, false, 0);
    Waiting filled = new Waiting(true, false, false, true, 0);
    Waiting old = new Waiting(true, false, false, false, TimeUnit.SECONDS.toNanos(30));
    assertThat(DrainPolicy.DEFAULT.due(OPEN)).isEmpty();
    assertThat(DrainPolicy.DEFAULT.due(closed)).contains(Cause.CLOSE);
    assertThat(DrainPolicy.DEFAULT.due(ending)).contains(Cause.END);
    assertThat(DrainPolicy.ON_REQUEST.due(requested)).contains(Cause.REQUEST);
    for (Waiting file : new Waiting[] {closed, ending, filled, old}) {
      assertThat(DrainPolicy.ON_REQUEST.due(file)).isEmpty();
    }
    assertThat(DrainPolicy.parse("fill=60%").due(filled)).contains(Cause.FILL);
    assertThat(DrainPolicy.parse("every=30s").due(old)).contains(Cause.INTERVAL);
    assertThat(DrainPolicy.parse("every=31s").due(old)).isEmpty();
  }

  @Test
  void aBufferIsFilledUntilItIsWellBelowTheLevel() {
    FillGate gate = new FillGate(60);
    assertThat(gate.update(59)).isFalse();
    assertThat(gate.update(60)).isTrue();
    assertThat(gate.update(50)).isTrue();
    assertThat(gate.update(49)).isFalse();
    assertThat(gate.update(59)).isFalse();
    FillGate never = new FillGate(0);
    assertThat(never.update(100)).isFalse();
    FillGate low = new FillGate(5);
    assertThat(low.update(5)).isTrue();
    assertThat(low.update(0)).isFalse();
  }
}
