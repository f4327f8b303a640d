// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/**
 * An instance that has not ended, as an entry of the map.
 *
 * @param id never reused
 * @param owner the user that created it
 * @param group the owner's group
 * @param capacityBytes user bytes it may hold; 0 for no limit
 * @param copies how many seats keep each record
 * @param forced whether a write is acknowledged only when it survives a power cut
 * @param whenDegraded what happens while fewer seats than copies can keep a record
 * @param seats where its records may go
 * @param rootGroup the group of its tree 0: the tree of all clients, with private trees also their
 *     list
 * @param drain where its files are drained to, and when
 * @param protection what its users may write, as a {@link
 *     io.forebay.ring.protection.ProtectionPolicy}; empty for no limits
 * @param tenancy which users it admits, and until when
 * @param allocation its granules of a pool
 */
public record Instance(
    int id,
    String name,
    int owner,
    int group,
    Lifetime lifetime,
    Access access,
    long capacityBytes,
    int copies,
    boolean forced,
    WhenDegraded whenDegraded,
    PlacementSpec placement,
    List<SeatId> seats,
    GroupId rootGroup,
    DrainSpec drain,
    String protection,
    Tenancy tenancy,
    Allocation allocation) {
  /** The user who may do everything. */
  private static final int ROOT = 0;

  public enum Lifetime {
    JOB,
    PERSISTENT
  }

  public enum Access {
    /** One tree for all clients. */
    SHARED,
    /** A tree for each client node, hidden from the others. */
    PRIVATE,
    /** One tree for all clients and one for each client node, within one capacity. */
    BOTH
  }

  /** What a home does while its group has fewer current members than copies are wanted (P15). */
  public enum WhenDegraded {
    /** Acknowledges with fewer; they are repaired. */
    CONTINUE,
    /** Acknowledges nothing until there are enough again. */
    WAIT
  }

  public Instance {
    seats = List.copyOf(seats);
  }

  /** The same with other seats for new records. */
  public Instance withSeats(List<SeatId> others) {
    return new Instance(
        id,
        name,
        owner,
        group,
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        others,
        rootGroup,
        drain,
        protection,
        tenancy,
        allocation);
  }

  /** The same, ending. */
  public Instance asEnding() {
    return new Instance(
        id,
        name,
        owner,
        group,
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        seats,
        rootGroup,
        drain.asEnding(),
        protection,
        tenancy,
        allocation);
  }

  /** The same with another protection. */
  public Instance withProtection(String other) {
    return new Instance(
        id,
        name,
        owner,
        group,
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        seats,
        rootGroup,
        drain,
        other,
        tenancy,
        allocation);
  }

  /** The same for other users. */
  public Instance withTenancy(Tenancy other) {
    return new Instance(
        id,
        name,
        owner,
        group,
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        seats,
        rootGroup,
        drain,
        protection,
        other,
        allocation);
  }

  /** Whether there is one tree for all clients. */
  public boolean hasSharedTree() {
    return access != Access.PRIVATE;
  }

  /** Whether client nodes have trees of their own. */
  public boolean hasPrivateTrees() {
    return access != Access.SHARED;
  }

  /**
   * Whether the files of one of its trees are drained. Where there is a tree for all clients, only
   * that one is: the private files of two nodes may have the same name, and the backing store has
   * one file of each name.
   */
  public boolean isDrained(int tree) {
    return !drain.isNone() && (tree == 0 || !hasSharedTree());
  }

  /** Whether a user may use it. */
  public boolean admits(int user, List<Integer> groups) {
    if (user == ROOT || user == owner) return true;
    return switch (tenancy.permit()) {
      case OWNER -> false;
      case GROUP -> groups.contains(group);
      case EVERYONE -> true;
    };
  }

  /**
   * Whether root of a node, for whom the node's agent asks, is root on it: if it says so, or is of
   * a job of root.
   */
  public boolean takesRootOfNodes() {
    boolean rootsJob = owner == ROOT && lifetime == Lifetime.JOB;
    return rootsJob || tenancy.root() == Tenancy.Root.ALLOW;
  }

  /** The same with other granules, and with their seats for new records. */
  public Instance withAllocation(Allocation other, List<SeatId> others) {
    return new Instance(
        id,
        name,
        owner,
        group,
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        others,
        rootGroup,
        drain,
        protection,
        tenancy,
        other);
  }

  /** The same with another capacity. */
  public Instance withCapacity(long bytes) {
    return new Instance(
        id,
        name,
        owner,
        group,
        lifetime,
        access,
        bytes,
        copies,
        forced,
        whenDegraded,
        placement,
        seats,
        rootGroup,
        drain,
        protection,
        tenancy,
        allocation);
  }

  /** How many granules its capacity takes, copies not counted; 0 without a promise. */
  public long granulesWanted() {
    return allocation.granulesFor(capacityBytes);
  }

  /** How many granules it lacks, since servers are gone and others have no room. */
  public long granulesShort() {
    return Math.max(0, granulesWanted() - allocation.granules());
  }

  /** The group of a node's private tree; spread, so that the load on names is. */
  public GroupId treeGroup(String node) {
    return GroupId.of(seats.get(Math.floorMod(Spread.hash(node), seats.size())), copies);
  }
}
