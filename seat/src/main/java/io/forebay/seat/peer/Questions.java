// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Message;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The questions of a seat to other seats. Each gets one answer, and never before the call returns.
 */
public final class Questions {
  private static final ProtocolTimes.Requests TIMES = ProtocolTimes.DEFAULT.requests();

  private final MapView maps;
  private final Peers peers;
  private final Timers timers;
  private final Calls calls;
  private final Landings landings;

  /** The unanswered questions of each peer. */
  private final Map<SeatId, TreeSet<Long>> unanswered = new TreeMap<>();

  public Questions(Basics basics, Peers peers, Calls calls) {
    this.maps = basics.maps();
    this.peers = peers;
    this.timers = basics.timers();
    this.calls = calls;
    this.landings = new Landings(calls);
  }

  /** Asks another seat; the reply comes later, null if the seat cannot be reached. */
  public void ask(SeatId peer, Message message, long timeoutNanos, Calls.Reply reply) {
    send(peer, begin(peer, timeoutNanos, reply), message);
  }

  private long begin(SeatId peer, long timeoutNanos, Calls.Reply reply) {
    TreeSet<Long> open = unanswered.computeIfAbsent(peer, key -> new TreeSet<>());
    long[] request = {0};
    request[0] =
        calls.begin(
            timeoutNanos,
            answer -> {
              open.remove(request[0]);
              reply.replied(answer);
            });
    open.add(request[0]);
    return request[0];
  }

  /** The connection to a peer is gone, or the peer is: its questions fail. */
  public void lost(SeatId peer) {
    TreeSet<Long> open = unanswered.get(peer);
    if (open == null || open.isEmpty()) return;
    List<Long> requests = List.copyOf(open);
    timers.after(TIMES.unsentNanos(), () -> requests.forEach(calls::failed));
  }

  /** The same where the answer is bytes: they fill the buffer, and are verified. */
  public void askInto(
      SeatId peer, Message message, ByteBuffer target, long timeoutNanos, Calls.Reply reply) {
    long[] request = {0};
    request[0] =
        begin(
            peer,
            timeoutNanos,
            answer -> {
              landings.forget(request[0]);
              reply.replied(answer);
            });
    landings.expect(request[0], target);
    send(peer, request[0], message);
  }

  /** Asks the home of a group, as the map has it. */
  public void askHome(
      GroupId group, Function<Group, Message> question, long timeoutNanos, Calls.Reply reply) {
    RingMap map = maps.map();
    Group known = map == null ? null : map.group(group);
    if (known == null) timers.after(TIMES.unsentNanos(), () -> reply.replied(null));
    else ask(known.home(), question.apply(known), timeoutNanos, reply);
  }

  private void send(SeatId peer, long request, Message message) {
    if (!peers.send(peer, Lane.CONTROL, request, message)) {
      timers.after(TIMES.unsentNanos(), () -> calls.failed(request));
    }
  }

  public void answered(long request, Message message) {
    calls.answered(request, message);
  }

  public Landing arriving(long request, Message message, int payloadBytes) {
    return landings.arriving(request, message, payloadBytes);
  }
}
