// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.seat.peer.RecordedNetwork;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import org.junit.jupiter.api.Test;

class ArrivingPayloadsTest {
  private static final long SLOW_NANOS = Limit.SLOW_PAYLOADS.value();

  private final RecordedNetwork network = new RecordedNetwork();
  private long now = -7;
  private final LimitCounts counts = new LimitCounts();
  private final ArrivingPayloads payloads = new ArrivingPayloads(() -> now, counts);

  @Test
  void theOldestGivesWayIfItTakesLong() {
    Connection first = network.client();
    Connection second = network.client();
    payloads.begin(first);
    now += SLOW_NANOS - 1;
    payloads.begin(second);
    payloads.makeRoom();
    assertThat(first.isOpen()).isTrue();
    now++;
    payloads.makeRoom();
    payloads.makeRoom();
    assertThat(first.isOpen()).isFalse();
    assertThat(second.isOpen()).as("it came later").isTrue();
    assertThat(counts.of(Limit.SLOW_PAYLOADS)).isEqualTo(1);
  }

  @Test
  void aPayloadThatIsHereDoesNotCount() {
    Connection client = network.client();
    ArrivingPayloads.Arriving arriving = payloads.begin(client);
    payloads.end(arriving);
    now += SLOW_NANOS;
    payloads.makeRoom();
    assertThat(client.isOpen()).isTrue();
  }
}
