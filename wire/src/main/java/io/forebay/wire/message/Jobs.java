// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import java.util.List;

/** Requests of batch systems, users and agents of nodes to the manager about jobs. */
public interface Jobs {
  /** A request to the manager's desk for jobs. */
  sealed interface Request extends Message
      permits BeginJob, GetJob, ListJobs, SetNodes, EndJob, ReportNode, ListNodes {}

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
   * @param directory below which its nodes mount its instances; empty if they mount none
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
      String directory,
      Phase phase,
      long request) {
    public Job {
      uses = List.copyOf(uses);
      stages = List.copyOf(stages);
      nodes = List.copyOf(nodes);
    }

    public Job withInstance(int number) {
      return new Job(
          token,
          user,
          group,
          creator,
          createdSeconds,
          number,
          uses,
          stages,
          nodes,
          directory,
          phase,
          request);
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
          directory,
          next,
          request);
    }

    /** What the agent of one of its nodes needs: the other nodes and the stages are left out. */
    public Job on(String node) {
      return new Job(
          token,
          user,
          group,
          creator,
          createdSeconds,
          instance,
          uses,
          List.of(),
          List.of(node),
          directory,
          phase,
          request);
    }
  }

  /**
   * Begins a job, and creates its instance in the same step. Answered with {@link JobIs}; a retry
   * gets the same answer, another request under the same token is refused.
   *
   * @param who the caller: root, or the job's user
   * @param user the job's owner
   * @param directory below which nodes mount its instances; a retry may name another, which has no
   *     effect
   * @param instance its own instance, or none; {@code job-TOKEN}, of lifetime {@code job}
   * @param credential the hash of a secret that the caller drew, by which programs reach that
   *     instance; empty for none. A retry may have another, which has no effect
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
      String directory,
      List<Maps.CreateInstance> instance,
      Bytes credential)
      implements Request, ClaimsUser {
    public BeginJob {
      uses = List.copyOf(uses);
      stages = List.copyOf(stages);
      instance = List.copyOf(instance);
    }
  }

  /** Answered with {@link JobIs}, or Failed with NOT_FOUND. */
  record GetJob(String token) implements Request {}

  /**
   * A job.
   *
   * @param ringEpoch the map that shows its instance
   * @param credential the hash of the secret by which programs reach it; empty for none
   */
  record JobIs(Job job, long ringEpoch, Bytes credential) implements Message {}

  /** Jobs in the order of their tokens, after the given one. Answered with {@link JobsAre}. */
  record ListJobs(String after, int max) implements Request {}

  record JobsAre(List<Job> jobs, boolean more) implements Message {
    public JobsAre {
      jobs = List.copyOf(jobs);
    }
  }

  /** The job runs on these nodes, or on none any more. Answered with Done. */
  record SetNodes(Identity who, String token, List<String> nodes) implements Request, ClaimsUser {
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
  record EndJob(Identity who, String token, boolean hurry) implements Request, ClaimsUser {}

  /** How a mount of a node stands. */
  enum Standing {
    /** It is there, and wanted. */
    MOUNTED,
    /** It is wanted, and not there yet. */
    COMING,
    /** It is there, and not wanted any more. */
    GOING
  }

  /**
   * A mount of a node.
   *
   * @param why why it does not stand as it should, as a sentence; empty if it does
   */
  record Mount(String directory, Standing standing, String why) {}

  /**
   * An agent reports how the mounts of its node stand, and asks which jobs the node has. Answered
   * with {@link NodeJobs}.
   *
   * @param who the agent's user: root
   * @param refusedCallers how many programs the agent has refused since its start, because it
   *     served as many as it may
   */
  record ReportNode(Identity who, String node, List<Mount> mounts, long refusedCallers)
      implements Request, ClaimsUser {
    public ReportNode {
      mounts = List.copyOf(mounts);
    }
  }

  /**
   * The jobs of a node.
   *
   * @param ringEpoch the map that shows their instances
   */
  record NodeJobs(List<Job> jobs, long ringEpoch) implements Message {
    public NodeJobs {
      jobs = List.copyOf(jobs);
    }
  }

  /**
   * Nodes in the order of their names, after the given one. Answered with {@link NodesAre}.
   *
   * @param token only the nodes of that job, and those that still have mounts of it, each with the
   *     mounts of that job; empty for all nodes that have reported, with all their mounts
   */
  record ListNodes(String token, String after, int max) implements Request {}

  /**
   * A node as its agent reported it.
   *
   * @param silentMillis how long ago; negative if this manager has had no report
   */
  record Node(String name, long silentMillis, List<Mount> mounts) {
    public Node {
      mounts = List.copyOf(mounts);
    }
  }

  record NodesAre(List<Node> nodes, boolean more) implements Message {
    public NodesAre {
      nodes = List.copyOf(nodes);
    }
  }
}
