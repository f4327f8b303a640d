// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.namespace.set.LongRanges;
import io.forebay.namespace.set.SequenceSet;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A client's session: its answers, its publishes, and the room it was promised and has used. */
public final class Session {
  /** The maximum number of answers of a session that the client has not confirmed. */
  static final int REPLIES_MAX = 4096;

  private final long id;
  private final String node;
  private final long expiryNanos;
  private final TreeMap<Long, Message> replies = new TreeMap<>();
  private long doneBelow;
  private long settledBelow;

  /** Every record it ever published, so that none is entered twice. */
  public final SequenceSet published = new SequenceSet();

  /** File numbers it took and has not used. */
  public final LongRanges taken = new LongRanges();

  /** Files it has made or published into, and not closed. */
  public final TreeSet<Long> unfinished = new TreeSet<>();

  /** The entry that began it. */
  public long begunIndex;

  public long promisedBytes;

  Session(long id, String node, long expiryNanos) {
    this.id = id;
    this.node = node;
    this.expiryNanos = expiryNanos;
  }

  public long id() {
    return id;
  }

  public String node() {
    return node;
  }

  public long expiryNanos() {
    return expiryNanos;
  }

  public long doneBelow() {
    return doneBelow;
  }

  public NavigableMap<Long, Message> replies() {
    return Collections.unmodifiableNavigableMap(replies);
  }

  /** The client knows the answers to all ops below. */
  public void forgetBelow(long op) {
    if (op <= doneBelow) return;
    doneBelow = op;
    replies.headMap(op).clear();
  }

  public long settledBelow() {
    return settledBelow;
  }

  /** The client publishes no piece of a lower number any more. */
  public void settleBelow(long piece) {
    settledBelow = Math.max(settledBelow, piece);
  }

  /**
   * Whether the client may still publish a record: not if it was published before, since then its
   * bytes may be gone, nor if another attempt of the piece was, or the client has given it up.
   */
  public boolean mayPublish(long sequence) {
    return SequenceSet.pieceOf(sequence) >= settledBelow && !published.containsPieceOf(sequence);
  }

  /** The earlier answer to this op, or null if it is new. */
  public @Nullable Message answered(long op) throws Refused {
    if (op == 0) return null;
    Message reply = replies.get(op);
    if (reply != null) return reply;
    if (op < doneBelow) {
      // A late duplicate of a request whose answer the client has long had: it must not be applied
      // again.
      throw new Refused(ErrorCode.INVALID, "op " + op + " was answered and forgotten");
    }
    if (replies.size() >= REPLIES_MAX) {
      throw new Refused(
          ErrorCode.INVALID, "more than " + REPLIES_MAX + " answers to remember for a session");
    }
    return null;
  }

  public void remember(long op, Message reply) {
    if (op != 0) replies.put(op, reply);
  }
}
