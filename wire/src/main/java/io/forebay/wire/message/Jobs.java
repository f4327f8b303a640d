// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import java.util.List;

/** Requests of batch systems and users to the manager about jobs. */
public interface Jobs {
  /** Which way a stage of a job goes. */
  enum Direction {
    IN,
    OUT
  }

  /** What a stage copies. */
  enum Kind {
    FILE,
    DIRECTORY,
    /** A file with sources and destinations. */
    LIST
  }

  /**
   * A stage that the job's script asks for.
   *
   * @param source a path on the source side, or of the list
   * @param destination a path on the other side; empty for a list
   */
  record Stage(Direction direction, Kind kind, String source, String destination) {}

  /** Where in its life a job is. */
  enum Phase {
    /** Its instance exists, and no node has been named. */
    BEGUN,
    /** Its nodes are known. */
    RUNNING,
    /** Its nodes were given back. */
    RAN,
    /** Its instance ends; then the job is forgotten. */
    ENDING
  }

  /**
   * A job as the manager knows it.
   *
   * @param token the batch system's name of it
   * @param creator the program that began it, for people
   * @param createdSeconds since 1970, by the clock of the caller
   * @param instance the number of its own instance; 0 for none
   * @param uses the names of persistent instances that it uses
   * @param nodes where it runs; empty before and afterwards
   * @param request a digest of what was asked for, by which a retry is recognized
   */
  record Job(
      String token,
      int user,
      int group,
      String creator,
      long createdSeconds,
      int instance,
      List<String> uses,
      List<Stage> stages,
      List<String> nodes,
      Phase phase,
      long request) {
    public Job {
      uses = List.copyOf(uses);
      stages = List.copyOf(stages);
      nodes = List.copyOf(nodes);
    }

    public Job withInstance(int number) {
      return new Job(
          token, user, group, creator, createdSeconds, number, uses, stages, nodes, phase, request);
    }

    public Job inPhase(Phase next, List<String> onNodes) {
      return new Job(
          token,
          user,
          group,
          creator,
          createdSeconds,
          instance,
          uses,
          stages,
          onNodes,
          next,
          request);
    }
  }

  /**
   * Begins a job, and creates its instance in the same step. Answered with {@link JobIs}; a retry
   * gets the same answer, another request under the same token is refused.
   *
   * @param who the caller: root, or the job's user
   * @param user the job's owner
   * @param instance its own instance, or none; {@code job-TOKEN}, of lifetime {@code job}
   */
  record BeginJob(
      Identity who,
      String token,
      int user,
      int group,
      String creator,
      long createdSeconds,
      List<String> uses,
      List<Stage> stages,
      List<Maps.CreateInstance> instance)
      implements Message {
    public BeginJob {
      uses = List.copyOf(uses);
      stages = List.copyOf(stages);
      instance = List.copyOf(instance);
    }
  }

  /** Answered with {@link JobIs}, or Failed with NOT_FOUND. */
  record GetJob(String token) implements Message {}

  /**
   * A job.
   *
   * @param ringEpoch the map that shows its instance
   */
  record JobIs(Job job, long ringEpoch) implements Message {}

  /** Jobs in the order of their tokens, after the given one. Answered with {@link JobsAre}. */
  record ListJobs(String after, int max) implements Message {}

  record JobsAre(List<Job> jobs, boolean more) implements Message {
    public JobsAre {
      jobs = List.copyOf(jobs);
    }
  }

  /** The job runs on these nodes, or on none any more. Answered with Done. */
  record SetNodes(Identity who, String token, List<String> nodes) implements Message {
    public SetNodes {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The job ends: its instance ends, and when that is gone the job is forgotten. Answered with
   * Done; Failed with NOT_FOUND if there is no such job, or not any more.
   *
   * @param hurry discards the instance with all that is not staged out or drained
   */
  record EndJob(Identity who, String token, boolean hurry) implements Message {}
}
