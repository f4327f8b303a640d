// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.Cluster;
import io.forebay.client.job.Job;
import io.forebay.client.link.ClusterLink;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Persistent;
import io.forebay.ring.Instance;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * Persistent buffers that batch systems create and destroy. Each is created and destroyed as its
 * owner: the manager then checks in one step that no job uses it. Any thread.
 */
final class PersistentBuffers {
  private final ClusterLink link;
  private final BufferOptions options;

  PersistentBuffers(ClusterLink link, BufferOptions options) {
    this.link = link;
    this.options = options;
  }

  /** Creates a buffer, or finds that the same request was made before. */
  void create(Persistent persistent) throws IOException, JobFailed {
    try (Cluster cluster = as((int) persistent.user(), (int) persistent.user())) {
      Instance known = cluster.map().instance(persistent.name());
      if (known != null) check(known, persistent);
      else cluster.createInstance(persistent.name(), options.of(persistent, cluster.map()));
    }
  }

  private Cluster as(int user, int group) throws IOException {
    Identity identity = new Identity(user, List.of(group));
    return Cluster.connect(link.instanceUri(""), link.options().withIdentity(identity));
  }

  /** A repeated request finds what it asked for, rounded up to granules. */
  private static void check(Instance known, Persistent asked) throws JobFailed {
    boolean same =
        known.owner() == (int) asked.user()
            && known.granulesWanted() == known.allocation().granulesFor(asked.capacityBytes())
            && !known.drain().ending();
    if (same) return;
    throw new JobFailed(
        "there is a persistent buffer '%s' of user %s already; choose another name"
            .formatted(asked.name(), Integer.toUnsignedString(known.owner())));
  }

  /**
   * Destroys a buffer that no job uses, and waits for its end.
   *
   * @param asker the user who asks; empty if the batch system has checked its rights
   * @return whether there was such a buffer
   */
  boolean destroy(String name, OptionalLong asker, boolean hurry) throws IOException, JobFailed {
    Instance known = link.get().map().instance(name);
    if (known == null) return false;
    if (known.lifetime() == Instance.Lifetime.JOB) {
      throw new JobFailed(
          "'%s' is the buffer of a job, which ends with the job; cancel the job".formatted(name));
    }
    int user = asker.isPresent() ? (int) asker.getAsLong() : known.owner();
    try (Cluster cluster = as(user, asker.isPresent() ? user : known.group())) {
      for (Job job : cluster.jobs()) {
        if (job.uses().contains(name)) throw inUse(name, job);
      }
      // Refused if a job has begun to use it meanwhile; from then on none can.
      cluster.destroyInstance(name);
      if (hurry) cluster.discardInstance(name);
      Pause pause = new Pause(ClusterJobs.END_MAX);
      while (cluster.map().instance(name) != null && pause.next()) {}
      return true;
    }
  }

  private static JobFailed inUse(String name, Job job) {
    return new JobFailed(
        "persistent buffer '%s' is used by job %s; destroy it when that has ended"
            .formatted(name, job.token()));
  }
}
