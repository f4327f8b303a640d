// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.Timers;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LandingsTest {
  private static final int BYTES = 100;
  private static final long PATIENCE_NANOS = 10;

  private long now;
  private final Timers timers = new Timers(() -> now);
  private final Calls calls = new Calls(timers);
  private final Landings landings = new Landings(calls);
  private final ByteBuffer target = ByteBuffer.allocate(BYTES);
  private final List<@Nullable Message> replies = new ArrayList<>();

  private long ask() {
    long[] request = {0};
    request[0] =
        calls.begin(
            PATIENCE_NANOS,
            reply -> {
              landings.forget(request[0]);
              replies.add(reply);
            });
    landings.expect(request[0], target);
    return request[0];
  }

  private void waitTooLong() {
    now += 2 * PATIENCE_NANOS;
    timers.runDue();
  }

  private static ByteBuffer bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    while (bytes.hasRemaining()) bytes.put((byte) (3 * bytes.position()));
    return bytes.flip();
  }

  private static Data.Got got() {
    return new Data.Got(Checksums.of(BlockChecksums.of(bytes())));
  }

  @Test
  void anAnswerThatBeginsToArriveInTimeIsWaitedForUntilItsBytesAreThere() {
    Landing landing = landings.arriving(ask(), got(), BYTES);
    waitTooLong();
    assertThat(replies).as("its bytes still come in").isEmpty();
    assertThat(landing).isInstanceOf(Landing.Into.class);
    if (landing instanceof Landing.Into into) {
      into.target().put(bytes());
      into.arrival().filled();
    }
    assertThat(replies).containsExactly(got());
    assertThat(target).isEqualTo(bytes());
  }

  @Test
  void orUntilTheConnectionIsGone() {
    Landing landing = landings.arriving(ask(), got(), BYTES);
    waitTooLong();
    assertThat(replies).isEmpty();
    if (landing instanceof Landing.Into into) into.arrival().aborted();
    assertThat(replies).hasSize(1).containsOnlyNulls();
  }

  @Test
  void whatBeginsToArriveWhenNobodyWaitsAnyMoreGoesNowhere() {
    long request = ask();
    waitTooLong();
    assertThat(replies).hasSize(1).containsOnlyNulls();
    assertThat(landings.arriving(request, got(), BYTES)).isEqualTo(Landing.DISCARD);
  }
}
