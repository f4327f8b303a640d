// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages between the threads of one group, from the moment that one side posts until both have.
 * The thread that comes second copies, without the lock, so that a rank which is busy with other
 * work still receives. Messages of one sender, receiver and tag are matched in their order. Fields
 * are guarded by the lock of the job.
 */
final class Mailbox {
  /** What sender and receiver must have in common. */
  private record Address(int from, int to, int tag) {}

  /** One side of a message. */
  final class Posted implements Operation {
    private final int peer;
    private final MemorySegment memory;
    private final boolean exact;
    private long bytes;
    private boolean done;
    private @Nullable String problem;

    private Posted(int peer, MemorySegment memory, boolean exact) {
      this.peer = peer;
      this.memory = memory;
      this.exact = exact;
    }

    /** The other side's rank. */
    int peer() {
      return peer;
    }

    /** How long the message is; known when this is done. */
    long bytes() {
      return bytes;
    }

    @Override
    public boolean isDone() {
      synchronized (job) {
        if (!done) job.check();
        if (problem != null) throw new IllegalArgumentException(problem);
        return done;
      }
    }
  }

  /** Both sides of the messages of one address; at most one of the queues has any. */
  private static final class Queues {
    final Deque<Posted> sends = new ArrayDeque<>();
    final Deque<Posted> receives = new ArrayDeque<>();
  }

  private final ThreadJob job;
  private final Map<Address, Queues> waiting = new HashMap<>();

  Mailbox(ThreadJob job) {
    this.job = job;
  }

  Posted send(int from, int to, int tag, MemorySegment message) {
    Posted send = new Posted(to, message, true);
    Posted receive = match(new Address(from, to, tag), send, true);
    if (receive != null) carry(send, receive);
    return send;
  }

  /**
   * Posts a receive.
   *
   * @param exact whether the message must be as long as the memory, not shorter
   */
  Posted receive(int from, int to, int tag, MemorySegment memory, boolean exact) {
    Posted receive = new Posted(from, memory, exact);
    Posted send = match(new Address(from, to, tag), receive, false);
    if (send != null) carry(send, receive);
    return receive;
  }

  /** Takes the oldest message of the other side; if there is none, this one waits. */
  private @Nullable Posted match(Address address, Posted posted, boolean isSend) {
    synchronized (job) {
      job.check();
      Queues queues = waiting.computeIfAbsent(address, at -> new Queues());
      Posted other = (isSend ? queues.receives : queues.sends).poll();
      if (other == null) (isSend ? queues.sends : queues.receives).add(posted);
      else if (queues.sends.isEmpty() && queues.receives.isEmpty()) waiting.remove(address);
      return other;
    }
  }

  private void carry(Posted send, Posted receive) {
    long bytes = send.memory.byteSize();
    String problem = problem(bytes, receive);
    if (problem == null) MemorySegment.copy(send.memory, 0, receive.memory, 0, bytes);
    synchronized (job) {
      receive.problem = problem;
      receive.bytes = bytes;
      receive.done = true;
      send.done = true;
      job.notifyAll();
    }
  }

  private static @Nullable String problem(long bytes, Posted receive) {
    long room = receive.memory.byteSize();
    if (bytes <= room && (bytes == room || !receive.exact)) return null;
    return "a message of " + bytes + " bytes for memory of " + room;
  }
}
