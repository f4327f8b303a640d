// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.base.proof.JobCredential;
import io.forebay.wire.message.Jobs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who reaches the instances of jobs, besides operators: the agents of a job's nodes, the agent
 * through which its batch system speaks, and holders of its credential. A part of {@link JobBook}.
 */
final class JobReach {
  /**
   * Who reaches the instance of a job.
   *
   * @param agent the node whose agent spoke last for its batch system; empty for none
   * @param left the nodes that it left last: their mounts may have writes left
   * @param credential the hash of its secret; empty if it has none, or none any more
   */
  public record Entry(String token, String agent, List<String> left, Bytes credential) {
    public Entry {
      left = List.copyOf(left);
    }

    private Entry by(String other) {
      return other.isEmpty() ? this : new Entry(token, other, left, credential);
    }
  }

  private final TreeMap<String, Entry> entries = new TreeMap<>();

  void restore(List<Entry> known) {
    entries.clear();
    for (Entry each : known) entries.put(each.token(), each);
  }

  List<Entry> all() {
    return new ArrayList<>(entries.values());
  }

  /** A job is begun, for the first time or again. */
  void begun(String token, String agent, Bytes credential) {
    Entry known = entries.get(token);
    Entry now = known == null ? new Entry(token, agent, List.of(), credential) : known.by(agent);
    entries.put(token, now);
  }

  /** A job is about to run on other nodes. */
  void moves(Jobs.Job job, List<String> nodes, String agent) {
    entries.computeIfPresent(
        job.token(),
        (token, known) -> {
          if (job.nodes().isEmpty()) return known.by(agent);
          Set<String> now = new HashSet<>(nodes);
          List<String> left = job.nodes().stream().filter(node -> !now.contains(node)).toList();
          return new Entry(token, known.agent(), left, known.credential()).by(agent);
        });
  }

  /** The credential of a job counts no more, nor do nodes that it has left. */
  void revoked(String token) {
    entries.computeIfPresent(
        token, (key, known) -> new Entry(token, known.agent(), List.of(), Bytes.EMPTY));
  }

  void forget(String token) {
    entries.remove(token);
  }

  /** The hash of a job's credential; empty for none. */
  Bytes credential(String token) {
    Entry known = entries.get(token);
    return known == null ? Bytes.EMPTY : known.credential();
  }

  boolean isOpenTo(Jobs.Job job, String agent) {
    Entry known = entries.get(job.token());
    boolean speaks = known != null && (known.agent().equals(agent) || known.left().contains(agent));
    return speaks || job.nodes().contains(agent);
  }

  boolean isSecret(String token, Bytes secret) {
    Entry known = entries.get(token);
    return known != null && JobCredential.isSecret(secret, known.credential());
  }
}
