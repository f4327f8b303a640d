// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.job;

import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Identity;
import java.util.ArrayList;
import java.util.List;

/**
 * A mount that each node of a job should have.
 *
 * @param instance the instance that is mounted
 * @param directory where
 * @param user as which user the mount does what it does by itself: root of a node may have no
 *     rights
 */
public record JobMount(Kind kind, String instance, String directory, Identity user) {
  /** What is mounted. */
  public enum Kind {
    /** The tree of the job's own instance that all nodes see. */
    STRIPED("striped"),
    /** The node's own tree of the job's own instance. */
    PRIVATE("private"),
    /** The job's own instance, over a directory of the file system behind it. */
    STRIPED_CACHE("striped_cache"),
    /** A persistent instance that the job uses. */
    PERSISTENT("persistent");

    private final String directory;

    Kind(String directory) {
      this.directory = directory;
    }
  }

  /**
   * The mounts of a job. An instance that is not in the map, or ends, is not mounted.
   *
   * @param map one that shows the job's instances
   */
  public static List<JobMount> of(Job job, RingMap map) {
    List<JobMount> mounts = new ArrayList<>();
    if (job.directory().isEmpty() || job.phase() == Job.Phase.ENDING) return mounts;
    Instance own = job.instance().isEmpty() ? null : map.instance(job.instance());
    if (own != null && isThere(own)) {
      for (Kind kind : kinds(own)) {
        String below = job.directory() + "/" + kind.directory;
        mounts.add(new JobMount(kind, own.name(), below, userOf(own)));
      }
    }
    for (String name : job.uses()) {
      Instance used = map.instance(name);
      if (used == null || !isThere(used)) continue;
      String below = job.directory() + "/" + Kind.PERSISTENT.directory + "/" + name;
      mounts.add(new JobMount(Kind.PERSISTENT, name, below, userOf(used)));
    }
    return mounts;
  }

  private static Identity userOf(Instance instance) {
    boolean squashed = instance.owner() == Identity.ROOT && !instance.takesRootOfNodes();
    int user = squashed ? Identity.NOBODY : instance.owner();
    return new Identity(user, List.of(instance.group()));
  }

  private static boolean isThere(Instance instance) {
    return !instance.drain().ending();
  }

  /** How nodes of a job reach an instance of the job. */
  public static List<Kind> kinds(Instance own) {
    if (own.drain().over()) return List.of(Kind.STRIPED_CACHE);
    return switch (own.access()) {
      case SHARED -> List.of(Kind.STRIPED);
      case PRIVATE -> List.of(Kind.PRIVATE);
      case BOTH -> List.of(Kind.STRIPED, Kind.PRIVATE);
    };
  }
}
