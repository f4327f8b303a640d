// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.SeatId;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Peers;
import java.util.Map;
import java.util.TreeMap;

/** The queues of copies: one for each receiving seat. */
public final class CopyQueues {
  private final Basics basics;
  private final Peers peers;
  private final HeldSegments heldSegments;
  private final Map<SeatId, CopyQueue> queues = new TreeMap<>();

  public CopyQueues(Basics basics, Peers peers) {
    this.basics = basics;
    this.peers = peers;
    this.heldSegments = new HeldSegments(basics.store().ingestSegments());
  }

  public CopyQueue to(SeatId peer) {
    return queues.computeIfAbsent(peer, to -> new CopyQueue(basics, peers, heldSegments, to));
  }

  /** The records that are to be sent to other seats, or on their way there. */
  public int records() {
    int all = 0;
    for (CopyQueue queue : queues.values()) all += queue.records();
    return all;
  }

  /** Their bytes. */
  public long bytes() {
    long all = 0;
    for (CopyQueue queue : queues.values()) all += queue.bytes();
    return all;
  }

  /** After every round of the loop. */
  public void poll() {
    for (CopyQueue queue : queues.values()) queue.poll();
  }
}
