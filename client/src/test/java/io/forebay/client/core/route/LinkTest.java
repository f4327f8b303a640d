// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Timers;
import io.forebay.client.core.retry.Backoff;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinkTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long ANSWER_NANOS = 5 * SECOND;

  private long now = 1;
  private final Timers timers = new Timers(() -> now);
  private final List<Link.Loss> losses = new ArrayList<>();
  private final Wire wire = new Wire();
  private final Link link =
      new Link(
          new LinkGround(
              timers,
              wire,
              Backoff.jittered(2_000_000, 500_000_000, new Random(1)),
              ANSWER_NANOS,
              ANSWER_NANOS / 10,
              () -> Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, "", 1),
              map -> {}),
          Handshake.Lane.CONTROL,
          List.of(Address.parse("host:1")),
          ANSWER_NANOS);

  @Test
  void anAnswerWhoseBytesMoveIsWaitedFor() {
    int[] filled = {0};
    ask(new Landing.Into(ByteBuffer.allocate(100), arrival(filled)));
    Landing landing = wire.handler().arriving(wire.connection(), 1, new Maps.GetMap(0), 100);
    for (int second = 0; second < 60; second++) {
      wire.connection().received++;
      pass(SECOND);
    }
    assertThat(losses).isEmpty();
    assertThat(link.livedNanos()).isGreaterThan(now - 2 * SECOND);
    ((Landing.Into) landing).arrival().filled();
    assertThat(filled[0]).isEqualTo(1);
  }

  @Test
  void anAnswerWhoseBytesStopIsLost() {
    ask(new Landing.Into(ByteBuffer.allocate(100), arrival(new int[1])));
    wire.handler().arriving(wire.connection(), 1, new Maps.GetMap(0), 100);
    long before = now;
    pass(2 * ANSWER_NANOS);
    assertThat(wire.connection().closed).isTrue();
    assertThat(link.livedNanos()).isLessThanOrEqualTo(before);
  }

  /** That the other end says at once that it lives does not make an unanswered request progress. */
  @Test
  void livesOnlyByAnsweringRequestsOrByAnsweringLate() {
    ask(Landing.DISCARD);
    long asked = now;
    pass(SECOND / 10);
    link.send(new Maps.Ping(1), null, reply(Landing.DISCARD));
    wire.handler().received(wire.connection(), 2, new Maps.GetMap(0));
    assertThat(link.livedNanos()).isLessThanOrEqualTo(asked);
    link.send(new Maps.Ping(1), null, reply(Landing.DISCARD));
    pass(SECOND);
    wire.handler().received(wire.connection(), 3, new Maps.GetMap(0));
    assertThat(link.livedNanos()).isEqualTo(now);
  }

  private void ask(Landing landing) {
    link.send(new Maps.GetMap(0), null, reply(landing));
    wire.handler().opened(wire.connection());
  }

  private Link.Reply reply(Landing landing) {
    return new Link.Reply() {
      @Override
      public void answered(Message message) {}

      @Override
      public Landing arriving(Message message, int payloadBytes) {
        return landing;
      }

      @Override
      public void lost(Link.Loss loss) {
        losses.add(loss);
      }
    };
  }

  private static Landing.Arrival arrival(int[] filled) {
    return new Landing.Arrival() {
      @Override
      public void filled() {
        filled[0]++;
      }

      @Override
      public void aborted() {}
    };
  }

  private void pass(long nanos) {
    long until = now + nanos;
    while (true) {
      if (timers.runDue()) continue;
      long next = timers.nextNanos();
      if (next == Timers.NEVER || now + next > until) break;
      now += next;
    }
    now = until;
  }

  /** A network with one connection at a time, which the test moves by hand. */
  private static final class Wire implements Network {
    private final List<End> ends = new ArrayList<>();
    private final List<Handler> handlers = new ArrayList<>();

    End connection() {
      return ends.get(0);
    }

    Handler handler() {
      return handlers.get(0);
    }

    @Override
    public Connection connect(Address to, Handshake.Hello hello, Handler handler) {
      ends.add(new End(hello));
      handlers.add(handler);
      return ends.get(ends.size() - 1);
    }

    @Override
    public Listener listen(Address at, Door door, Handler handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void refuseCertificates(Collection<Long> serials) {}

    @Override
    public LimitCounts limits() {
      return new LimitCounts();
    }
  }

  private static final class End implements Connection {
    private final Handshake.Hello hello;
    private long received;
    private boolean closed;

    End(Handshake.Hello hello) {
      this.hello = hello;
    }

    @Override
    public Handshake.Hello hello() {
      return hello;
    }

    @Override
    public Handshake.Welcome welcome() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String remote() {
      return "host:1";
    }

    @Override
    public boolean isOpen() {
      return !closed;
    }

    @Override
    public void send(long request, Message message) {}

    @Override
    public void send(long request, Message message, Payload payload) {}

    @Override
    public long queuedBytes() {
      return 0;
    }

    @Override
    public long receivedBytes() {
      return received;
    }

    @Override
    public void resume() {}

    @Override
    public void stop() {}

    @Override
    public void start() {}

    @Override
    public void close(String reason) {
      closed = true;
    }
  }
}
