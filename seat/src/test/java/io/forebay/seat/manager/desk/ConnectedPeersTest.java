// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.Instance;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import org.junit.jupiter.api.Test;

class ConnectedPeersTest {
  private final RecordedNetwork network = new RecordedNetwork();
  private final LimitCounts limits = new LimitCounts();
  private final ConnectedPeers peers =
      new ConnectedPeers(
          new ConnectedPeers.Sight() {
            @Override
            public boolean seesMaps(Connection connection) {
              return true;
            }

            @Override
            public boolean sees(Connection connection, Instance instance) {
              return true;
            }
          },
          limits);

  @Test
  void aPeerThatTakesNoMapsIsClosedAndCounted() {
    Connection reads = network.client(Limit.UNREAD_MAPS.value());
    Connection another = network.client();
    Connection sleeps = network.client(Limit.UNREAD_MAPS.value() + 1);
    peers.opened(reads);
    peers.opened(another);
    peers.opened(sleeps);
    peers.publish(SmallRing.of(1).map());
    assertThat(network.sent())
        .extracting(RecordedNetwork.Sent::connection)
        .containsExactly(reads, another);
    assertThat(sleeps.isOpen()).isFalse();
    assertThat(limits.of(Limit.UNREAD_MAPS)).isEqualTo(1);
  }
}
