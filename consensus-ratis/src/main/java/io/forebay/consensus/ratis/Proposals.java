// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Timers;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.Consensus.Outcome;
import io.forebay.seat.consensus.Consensus.Proposer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The proposals of this process that are under way, by their numbers. Called by the loop only. */
final class Proposals {
  static final long BYTES_MAX = 64L * 1024 * 1024;

  private record Pending(Proposer proposer, int bytes, Timers.Timer deadline) {}

  /** Told that a proposal has waited for too long. */
  interface Late {
    void late(long number, String reason);
  }

  private final Timers timers;
  private final Duration patience;
  private final Late late;
  private final Map<Long, Pending> pending = new LinkedHashMap<>();
  private long bytesPending;
  private long count;

  Proposals(Timers timers, Duration patience, Late late) {
    this.timers = timers;
    this.patience = patience;
    this.late = late;
  }

  /** Why there is no room for one more; null if there is. */
  @Nullable String refusal(int bytes) {
    if (bytes > EngineSettings.ENTRY_BYTES_MAX - GroupEntry.HEAD_BYTES) {
      return "a command of " + bytes + " bytes does not fit into the log";
    }
    boolean room = pending.size() < Consensus.PROPOSALS_MAX && bytesPending + bytes <= BYTES_MAX;
    return room ? null : Outcome.FULL.reason();
  }

  /** A number that no proposal had. */
  long number() {
    return ++count;
  }

  long add(Proposer proposer, int bytes) {
    long number = number();
    String reason = "the managers have not answered for " + patience.toMillis() + " ms";
    Timers.Timer deadline = timers.after(patience.toNanos(), () -> late.late(number, reason));
    pending.put(number, new Pending(proposer, bytes, deadline));
    bytesPending += bytes;
    return number;
  }

  void committed(long number, long index) {
    end(number, new Outcome.Committed(index));
  }

  /** If it is committed later, it is applied like the commands of others. */
  void unknown(long number, String reason) {
    end(number, new Outcome.Unknown(reason));
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  boolean isPending(long number) {
    return pending.containsKey(number);
  }

  void allUnknown(String reason) {
    for (long number : new ArrayList<>(pending.keySet())) unknown(number, reason);
  }

  /** No proposer is told anything any more. */
  void forgetAll() {
    for (Pending each : pending.values()) each.deadline.cancel();
    pending.clear();
  }

  private void end(long number, Outcome outcome) {
    Pending ended = pending.remove(number);
    if (ended == null) return;
    ended.deadline.cancel();
    bytesPending -= ended.bytes;
    ended.proposer.decided(outcome);
  }
}
