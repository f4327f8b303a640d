// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Timers;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeldMessagesTest {
  private static final int LONG_CHARS = 1 << 20;

  private long now;
  private final Timers timers = new Timers(() -> now);
  private final Connection connection = somebody();
  private int again;
  private int inVain;
  private final LimitCounts limits = new LimitCounts();
  private final HeldMessages held =
      new HeldMessages(
          timers,
          new HeldMessages.Taker() {
            @Override
            public void again(Request request) {
              again++;
            }

            @Override
            public void inVain(Request request) {
              inVain++;
            }
          },
          limits);

  private Connection somebody() {
    MemoryNetwork network = new MemoryNetwork(timers, new Random(1), new MemoryOptions(1, 1, 0, 0));
    Handshake.Hello hello =
        Handshake.Hello.of(Handshake.Role.SEAT, Handshake.Lane.CONTROL, 1, "a", 1);
    Handler nobody =
        new Handler() {
          @Override
          public void opened(Connection opened) {}

          @Override
          public void received(Connection from, long request, Message message) {}

          @Override
          public Landing arriving(Connection from, long request, Message message, int bytes) {
            return Landing.DISCARD;
          }

          @Override
          public void closed(Connection closed, String reason) {}
        };
    return network.at("a").connect(new Address.Inet("b", 1), hello, nobody);
  }

  private void hold(Message message, int times) {
    for (int i = 0; i < times; i++) held.hold(new Request(connection, 1, message));
  }

  @Test
  void shortMessagesAreCounted() {
    hold(new Replies.Done(), HeldMessages.HELD_MAX + 3);
    assertThat(inVain).isEqualTo(3);
    assertThat(limits.of(Limit.HELD_MESSAGES)).isEqualTo(3);
    held.release();
    assertThat(again).isEqualTo(HeldMessages.HELD_MAX);
  }

  @Test
  void longMessagesTakeNoMoreMemoryThanAllowed() {
    Message longOne = new Replies.Failed(ErrorCode.BUSY, "x".repeat(LONG_CHARS));
    hold(longOne, 100);
    int fit = 100 - inVain;
    assertThat(fit).isBetween(1, (int) (HeldMessages.HELD_BYTES_MAX / LONG_CHARS));
    held.release();
    assertThat(again).isEqualTo(fit);
    // What was let go makes room again.
    hold(longOne, fit);
    assertThat(inVain).isEqualTo(100 - fit);
    now += 10_000_000_000L;
    held.poll();
    assertThat(inVain).isEqualTo(100);
    hold(longOne, fit);
    assertThat(inVain).isEqualTo(100);
  }
}
