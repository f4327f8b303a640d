// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.datawarp;

import java.util.List;

/**
 * Everything that DataWarp's commands show, at one time. A session is a job or a persistent buffer;
 * its instance is the room that it has of a pool; a configuration is how nodes reach an instance;
 * an activation is a configuration on nodes; a fragment is an instance's room on one server. Times
 * are seconds since 1970, and 0 is never.
 */
public record Registry(
    List<Pool> pools,
    List<Session> sessions,
    List<Instance> instances,
    List<Configuration> configurations,
    List<Activation> activations,
    List<Fragment> fragments,
    List<Node> nodes) {
  public Registry {
    pools = List.copyOf(pools);
    sessions = List.copyOf(sessions);
    instances = List.copyOf(instances);
    configurations = List.copyOf(configurations);
    activations = List.copyOf(activations);
    fragments = List.copyOf(fragments);
    nodes = List.copyOf(nodes);
  }

  /**
   * Room that servers share.
   *
   * @param userBytesMax what all instances of one user may have of it; 0 is no limit
   */
  public record Pool(
      String name, long granularityBytes, long granules, long freeGranules, long userBytesMax) {}

  /**
   * A job or a persistent buffer.
   *
   * @param token the job's id, or the buffer's name
   * @param owner a user's id
   * @param creator the batch system
   * @param nodes where it is reached
   */
  public record Session(
      long id,
      State state,
      String token,
      long owner,
      String creator,
      long created,
      long expiration,
      List<String> nodes) {
    public Session {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The room of a session.
   *
   * @param servers how many servers it is on
   * @param open whether other jobs may use it
   * @param intact whether none of its data is lost
   */
  public record Instance(
      long id,
      State state,
      long session,
      long bytes,
      int servers,
      long created,
      long expiration,
      boolean intact,
      String label,
      boolean open,
      Limits limits,
      List<Long> configurations) {
    public Instance {
      configurations = List.copyOf(configurations);
    }
  }

  /**
   * What protects the devices from an instance; 0 is no limit.
   *
   * @param writeMultiple how often its capacity may be written within the window
   */
  public record Limits(
      long writeWindowSeconds, long writeMultiple, long fileBytesMax, long filesCreatedMax) {}

  /**
   * How nodes reach an instance.
   *
   * @param type such as {@code scratch}
   * @param access such as {@code striped}
   */
  public record Configuration(
      long id, State state, long instance, String type, String access, int activations) {}

  /** A configuration on nodes. */
  public record Activation(
      long id, State state, long session, long configuration, int nodes, String mount) {}

  /** An instance's room on one server. */
  public record Fragment(long id, State state, long instance, long bytes, String node) {}

  /** A server that has room. */
  public record Node(
      String name,
      String pool,
      boolean online,
      boolean draining,
      long granularityBytes,
      long capacityBytes,
      int instances,
      int activations) {}

  /**
   * Where an object is in its life.
   *
   * @param ending whether it is to go away
   * @param ready whether it can be used
   * @param failed whether it needs an administrator
   * @param changing whether work on it goes on
   */
  public record State(boolean ending, boolean ready, boolean failed, boolean changing) {
    /** Of an object that is in use. */
    public static final State READY = new State(false, true, false, false);

    /** As {@code dwstat} shows it: goal, set-up, condition, status, spectrum. */
    String letters() {
      return (ending ? "D" : "C")
          + (ready ? "A" : "-")
          + (failed ? "F" : "-")
          + (changing ? "T" : "-")
          + "-";
    }
  }
}
