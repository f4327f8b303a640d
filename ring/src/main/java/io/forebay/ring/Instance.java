package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/**
 * An allocation, as the map has it.
 *
 * @param id never reused
 * @param owner the user who made it
 * @param group the owner's group
 * @param capacityBytes user bytes it may hold; 0 for as much as there is
 * @param copies how many seats keep each record
 * @param forced whether a write is acknowledged only when it survives a power cut
 * @param seats where its records may go
 * @param rootGroup the group of its tree, or, with private access, of the list of its trees
 * @param destroyed a tombstone: what it held counts no longer
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
    PlacementSpec placement,
    List<SeatId> seats,
    GroupId rootGroup,
    boolean destroyed) {
  public enum Lifetime {
    JOB,
    PERSISTENT
  }

  public enum Access {
    /** One tree for everybody. */
    SHARED,
    /** A tree for each client node, hidden from the others. */
    PRIVATE
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
        placement,
        others,
        rootGroup,
        destroyed);
  }

  /** The group of a node's private tree; spread, so that the load on names is. */
  public GroupId treeGroup(String node) {
    return GroupId.of(seats.get(Math.floorMod(Spread.hash(node), seats.size())), copies);
  }
}
