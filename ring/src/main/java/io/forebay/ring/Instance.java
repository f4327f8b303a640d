// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/**
 * An allocation, as an entry of the map.
 *
 * @param id never reused
 * @param owner the user that created it
 * @param group the owner's group
 * @param capacityBytes user bytes it may hold; 0 for no limit
 * @param copies how many seats keep each record
 * @param forced whether a write is acknowledged only when it survives a power cut
 * @param whenDegraded what happens while fewer seats than copies can keep a record
 * @param seats where its records may go
 * @param rootGroup the group of its tree, or, with private access, of the list of its trees
 * @param drain where its files are drained to, and when
 * @param protection what its users may write, as a {@link
 *     io.forebay.ring.protection.ProtectionPolicy}; empty for no limits
 * @param tenancy which users it admits, and until when
 * @param destroyed a tombstone: its data is dead
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
    boolean destroyed) {
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
    PRIVATE
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
        destroyed);
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
        destroyed);
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
        destroyed);
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

  /** The group of a node's private tree; spread, so that the load on names is. */
  public GroupId treeGroup(String node) {
    return GroupId.of(seats.get(Math.floorMod(Spread.hash(node), seats.size())), copies);
  }
}
