// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.SimulatedMachine.Links;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages between nodes. A message passes the sending node's link, and after the latency the
 * receiving node's link. A link moves one message at a time. Within a node a message takes the
 * latency only: its copies are the ranks' own work.
 *
 * <p>Messages that wait for a node's link belong to connections, one for each pair of ranks. With
 * more connections than an adapter keeps at hand a message may find that its connection has to be
 * loaded first: with many senders, a node receives fewer bytes per second.
 */
final class SimulatedNetwork {
  /** One direction of a node's link. */
  private static final class Link {
    long freeNanos;
    int connections;

    long pass(long fromNanos, long nanos) {
      freeNanos = Math.max(freeNanos, fromNanos) + nanos;
      return freeNanos;
    }
  }

  private final VirtualTime time;
  private final Links links;
  private final int ranksPerNode;
  private final int ranks;
  private final Link[] out;
  private final Link[] in;

  /** Of each pair of ranks, how many messages wait at the receiving node. */
  private final int[] @Nullable [] waiting;

  SimulatedNetwork(VirtualTime time, SimulatedMachine machine, int ranks) {
    this.time = time;
    this.ranks = ranks;
    links = machine.links();
    ranksPerNode = machine.ranksPerNode();
    int nodes = node(ranks - 1) + 1;
    out = links(nodes);
    in = links(nodes);
    waiting = new int[ranks][];
  }

  private static Link[] links(int nodes) {
    Link[] links = new Link[nodes];
    for (int i = 0; i < nodes; i++) links[i] = new Link();
    return links;
  }

  int node(int rank) {
    return rank / ranksPerNode;
  }

  boolean isLocal(int from, int to) {
    return node(from) == node(to);
  }

  /** How long a message without bytes is under way. */
  long latencyNanos(int from, int to) {
    return isLocal(from, to) ? links.localLatencyNanos() : links.latencyNanos();
  }

  /** Moves bytes that leave a rank now, and runs an action when the last has arrived. */
  void move(int from, int to, long bytes, Runnable arrived) {
    if (isLocal(from, to)) {
      time.at(time.now() + links.localLatencyNanos(), arrived);
      return;
    }
    long nanos = SimulatedMachine.nanos(bytes, links.nodeBytesPerSecond()) + links.messageNanos();
    long left = out[node(from)].pass(time.now(), nanos);
    long firstByte = left - nanos + links.latencyNanos();
    time.at(firstByte, () -> enter(from, to, nanos, left + links.latencyNanos(), arrived));
  }

  private void enter(int from, int to, long nanos, long notBefore, Runnable arrived) {
    Link link = in[node(to)];
    int[] pairs = waiting(to);
    if (pairs[from]++ == 0) link.connections++;
    double missing = Math.max(0, 1 - (double) links.connections() / link.connections);
    long loading = Math.round(links.connectionNanos() * missing);
    long end = Math.max(link.pass(time.now(), nanos + loading), notBefore);
    time.at(
        end,
        () -> {
          if (--pairs[from] == 0) link.connections--;
          arrived.run();
        });
  }

  private int[] waiting(int to) {
    int[] pairs = waiting[to];
    if (pairs == null) {
      pairs = new int[ranks];
      waiting[to] = pairs;
    }
    return pairs;
  }

  /**
   * How long a collective operation takes once all ranks are there: rounds of messages between
   * pairs, whose number is the logarithm of the ranks, and the bytes that pass one node.
   */
  long collectiveNanos(int members, long bytes, long messageNanos) {
    int rounds = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, members) - 1);
    return rounds * (links.latencyNanos() + messageNanos)
        + SimulatedMachine.nanos(bytes, links.nodeBytesPerSecond());
  }
}
