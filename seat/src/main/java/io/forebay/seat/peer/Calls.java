// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import io.forebay.base.Timers;
import io.forebay.wire.message.Message;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pending questions of this seat to others. */
public final class Calls {
  /** Told once: the answer, or null when none came in time. */
  public interface Reply {
    void replied(@Nullable Message message);
  }

  private record Open(Reply reply, Timers.Timer timer) {}

  private final Timers timers;
  // Looked up only, never walked, so that its order does not matter.
  private final Map<Long, Open> open = new HashMap<>();
  private long last;

  public Calls(Timers timers) {
    this.timers = timers;
  }

  /** A new request number under which the answer is awaited. */
  long begin(long timeoutNanos, Reply reply) {
    long request = ++last;
    Timers.Timer timer = timers.after(timeoutNanos, () -> end(request, null));
    open.put(request, new Open(reply, timer));
    return request;
  }

  /**
   * The answer has begun to arrive. Until it is complete, or its connection is gone, the question
   * must not time out: the payload is still being written to its destination.
   */
  void arriving(long request) {
    Open call = open.get(request);
    if (call != null) call.timer.cancel();
  }

  /** Delivers an answer to its caller; returns whether a caller still waited. */
  boolean answered(long request, Message message) {
    return end(request, message);
  }

  /** The question could not be sent, or its peer is gone. */
  void failed(long request) {
    end(request, null);
  }

  private boolean end(long request, @Nullable Message message) {
    Open call = open.remove(request);
    if (call == null) return false;
    call.timer.cancel();
    call.reply.replied(message);
    return true;
  }
}
