// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.SimulatedJob.Connection;
import io.forebay.bench.geos5.model.SimulatedJob.Rank;
import io.forebay.bench.geos5.model.SimulatedMachine.Messages;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages between the ranks of one group. Sends and receives of one sender, receiver and tag
 * belong together in the order in which they are posted; only the time is simulated:
 *
 * <ol>
 *   <li>A short message leaves at once, if the receiver has room for another one of this sender,
 *       and its send is done. A long one announces itself.
 *   <li>When the message or its announcement has come and the receive is posted, the receiving rank
 *       matches the two; of a short message it copies the bytes.
 *   <li>For a long message of another node it then asks the sender for the bytes.
 *   <li>When the bytes have come, the receive is done, and the long message's send.
 * </ol>
 *
 * Messages in memory that exists carry its bytes; those in {@link SimulatedMemory} only a length.
 */
final class SimulatedMail {
  /** One side of a message. */
  static final class Side extends SimulatedOperation {
    private final Letter letter;
    private final String verb;
    private final MemorySegment memory;
    private final boolean exact;
    private final long postedNanos;

    /** The send of a message. */
    private Side(SimulatedJob job, Letter letter, String verb, MemorySegment memory) {
      super(job, letter.from);
      this.letter = letter;
      this.verb = verb;
      this.memory = memory;
      exact = true;
      postedNanos = job.time().nanos();
    }

    /** The receive of a message. */
    private Side(
        SimulatedJob job, Letter letter, String verb, MemorySegment memory, boolean exact) {
      super(job, letter.to);
      this.letter = letter;
      this.verb = verb;
      this.memory = memory;
      this.exact = exact;
      postedNanos = job.time().nanos();
    }

    /** How long the message is; known when this is done. */
    long bytes() {
      return letter.bytes;
    }

    @Override
    String description() {
      return verb;
    }
  }

  /** A message, from the moment that one side is posted. */
  private static final class Letter {
    private final Rank from;
    private final Rank to;
    private @Nullable Side send;
    private @Nullable Side receive;
    private long bytes;
    private byte @Nullable [] content;
    private boolean arrived;

    Letter(Rank from, Rank to) {
      this.from = from;
      this.to = to;
    }
  }

  /** What both sides of a letter have in common. */
  private record Address(int from, int to, int tag) {
    /** Odd, with bits that look random. */
    private static final int SPREAD = 0x9E3779B1;

    /** Many ranks send to many with few tags: the usual sum would be the same for most of them. */
    @Override
    public int hashCode() {
      return (from * SimulatedRanks.SIZE_MAX + to) * SPREAD + tag;
    }
  }

  private final SimulatedJob job;
  private final VirtualTime time;
  private final Messages costs;
  private final int[] worldRanks;

  /** Letters of which one side is posted; it is the same side for all letters of an address. */
  private final Map<Address, Deque<Letter>> halves = new HashMap<>();

  SimulatedMail(SimulatedJob job, int[] worldRanks) {
    this.job = job;
    this.worldRanks = worldRanks;
    time = job.time();
    costs = job.machine().messages();
  }

  Side send(int from, int to, int tag, MemorySegment message) {
    job.check();
    Letter letter = letter(new Address(from, to, tag), true);
    letter.bytes = message.byteSize();
    boolean isShort = isShort(letter);
    time.spend(costs.sendNanos() + (isShort ? copyNanos(letter.bytes) : 0));
    Side send = new Side(job, letter, "send to " + to + ", tag " + tag, message);
    letter.send = send;
    if (isShort && SimulatedMemory.isReal(message)) {
      letter.content = message.toArray(ValueLayout.JAVA_BYTE);
    }
    time.at(time.nanos(), () -> leave(letter, send));
    return send;
  }

  /**
   * Posts a receive.
   *
   * @param exact whether the message must be as long as the memory, not shorter
   */
  Side receive(int from, int to, int tag, MemorySegment memory, boolean exact) {
    job.check();
    Letter letter = letter(new Address(from, to, tag), false);
    Side receive = new Side(job, letter, "receive from " + from + ", tag " + tag, memory, exact);
    letter.receive = receive;
    if (letter.arrived) {
      deliver(letter, receive, searched(letter.to.unexpected));
      Connection connection = job.connection(letter.from.number, letter.to.number);
      if (--connection.unexpected == 0) letter.to.unexpected--;
    } else {
      letter.to.posted++;
    }
    return receive;
  }

  /** The oldest letter that lacks this side, or a new one. */
  private Letter letter(Address address, boolean forSend) {
    Deque<Letter> waiting = halves.computeIfAbsent(address, at -> new ArrayDeque<>());
    Letter oldest = waiting.peek();
    if (oldest != null && (forSend ? oldest.send : oldest.receive) == null) {
      waiting.remove();
      if (waiting.isEmpty()) halves.remove(address);
      return oldest;
    }
    Letter made = new Letter(job.rank(worldRanks[address.from]), job.rank(worldRanks[address.to]));
    waiting.add(made);
    return made;
  }

  /** Step 1. */
  private void leave(Letter letter, Side send) {
    int from = letter.from.number;
    int to = letter.to.number;
    if (!isShort(letter)) {
      time.at(time.now() + job.network().latencyNanos(from, to), () -> arrive(letter));
      return;
    }
    Connection connection = job.connection(from, to);
    if (connection.underWay == costs.eagerMessages()) {
      connection.stalled.add(() -> leave(letter, send));
      return;
    }
    connection.underWay++;
    send.finish();
    job.network().move(from, to, letter.bytes, () -> arrive(letter));
  }

  private void arrive(Letter letter) {
    letter.arrived = true;
    Rank to = letter.to;
    Side receive = letter.receive;
    if (receive != null) {
      deliver(letter, receive, searched(to.posted));
      to.posted--;
      return;
    }
    Connection connection = job.connection(letter.from.number, to.number);
    if (connection.unexpected++ == 0) to.unexpected++;
  }

  /** A search compares half of the waiting messages, on average. */
  private long searched(int waiting) {
    return waiting / 2 * costs.matchNanos();
  }

  /** Step 2. */
  private void deliver(Letter letter, Side receive, long searchNanos) {
    int from = letter.from.number;
    int to = letter.to.number;
    boolean copied = isShort(letter) || job.network().isLocal(from, to);
    long nanos = costs.receiveNanos() + searchNanos + (copied ? copyNanos(letter.bytes) : 0);
    long start = Math.max(time.now(), receive.postedNanos);
    long end = letter.to.processor.work(start, nanos);
    if (copied) time.at(end, () -> finish(letter, receive));
    else {
      // Step 3.
      long asked = end + job.network().latencyNanos(to, from);
      time.at(
          asked, () -> job.network().move(from, to, letter.bytes, () -> finish(letter, receive)));
    }
  }

  /** Step 4. */
  private void finish(Letter letter, Side receive) {
    String problem = problem(letter.bytes, receive);
    if (problem == null) {
      carry(letter, receive);
      receive.finish();
    } else {
      receive.finishWith(problem);
    }
    Side send = letter.send;
    if (!isShort(letter)) {
      if (send != null) send.finish();
      return;
    }
    Connection connection = job.connection(letter.from.number, letter.to.number);
    connection.underWay--;
    Runnable next = connection.stalled.poll();
    if (next != null) next.run();
  }

  private static void carry(Letter letter, Side receive) {
    Side send = letter.send;
    if (send == null || letter.bytes == 0) return;
    boolean isReal = SimulatedMemory.isReal(send.memory);
    if (isReal != SimulatedMemory.isReal(receive.memory)) {
      throw new IllegalStateException("one side of a message has bytes, the other has not");
    }
    if (!isReal) return;
    MemorySegment source =
        letter.content == null ? send.memory : MemorySegment.ofArray(letter.content);
    MemorySegment.copy(source, 0, receive.memory, 0, letter.bytes);
  }

  private static @Nullable String problem(long bytes, Side receive) {
    long room = receive.memory.byteSize();
    if (bytes <= room && (bytes == room || !receive.exact)) return null;
    return "a message of " + bytes + " bytes for memory of " + room;
  }

  private boolean isShort(Letter letter) {
    return letter.bytes <= costs.eagerBytes();
  }

  private long copyNanos(long bytes) {
    return SimulatedMachine.nanos(bytes, job.machine().copies().bytesPerSecond());
  }
}
