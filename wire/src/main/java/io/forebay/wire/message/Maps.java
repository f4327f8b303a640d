// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/** The map, instances, and reports of servers to the manager. */
public interface Maps {
  /**
   * Stands for the manager where a lease names the seat that granted it; no seat has this number.
   */
  SeatId MANAGER = new SeatId(0);

  /** The most managers of a cluster. */
  int MANAGERS_MAX = 5;

  /** Asks the manager, or a seat, for its map if it is newer. */
  record GetMap(long haveEpoch) implements Message {}

  /**
   * The map, as {@code ring} writes it; empty if there is none newer. Request 0 if it comes
   * unasked: the manager sends a new map to everyone connected.
   */
  record MapIs(long ringEpoch, Bytes map) implements Message {}

  /**
   * A manager of several tells its peers, unasked, where all of them are: peers remember that, and
   * dial the one that leads. It tells them again when it begins to lead: they ask at once what was
   * refused before.
   *
   * @param leads whether the sender leads and answers
   * @param leader such as {@code 10.0.0.2:7070}; empty if the sender leads, or knows of no leader
   */
  record ManagersAre(boolean leads, String leader, List<String> addresses) implements Message {
    public ManagersAre {
      addresses = List.copyOf(addresses);
    }
  }

  /** A change of the managers of a cluster, which only the one that leads makes. */
  sealed interface OfManagers extends Message {}

  /**
   * A manager that has just started asks to be one of the group. Answered with Done once it is, or
   * if it has been before. It takes the place of a manager of the same name, which has lost its
   * directory.
   *
   * @param incarnation of its directory
   * @param address where the other managers reach it
   * @param clientAddress where clients and seats reach it
   */
  record AddManager(String name, String incarnation, String address, String clientAddress)
      implements OfManagers {}

  /** An operator removes a manager. Answered with Done once it is none any more. */
  record RemoveManager(String name) implements OfManagers {}

  /**
   * A seat as it registers.
   *
   * @param logHigh with {@code logLow} the id of its log, which identifies the seat after a restart
   * @param incarnation the same as before only if everything it acknowledged is still there
   * @param start drawn anew at each start of the process; the manager raises the epochs of a
   *     restarted seat, so that messages of its earlier process are not taken for its own
   * @param addresses where it listens, such as {@code 127.0.0.1:7071} or {@code unix:/run/s1}
   * @param followed the highest map that an earlier process may have followed, if its SSD still has
   *     it: the seat forces it before it follows a map, so all other forced data is still there,
   *     too. 0 if unknown
   * @param pool the pool that it belongs to
   * @param keepsBytes the user bytes that it can keep for certain
   * @param forcedBytes the user bytes of them that it can keep on its SSD
   */
  record SeatOffer(
      long logHigh,
      long logLow,
      long incarnation,
      long start,
      List<String> addresses,
      long memoryBytes,
      long ssdBytes,
      int weight,
      long followed,
      String pool,
      long keepsBytes,
      long forcedBytes) {
    /** The pool of a seat that names none. */
    public static final String POOL_DEFAULT = "default";

    /** Of the default pool, for a seat that keeps as much as its tiers are large. */
    public SeatOffer(
        long logHigh,
        long logLow,
        long incarnation,
        long start,
        List<String> addresses,
        long memoryBytes,
        long ssdBytes,
        int weight) {
      this(
          logHigh,
          logLow,
          incarnation,
          start,
          addresses,
          memoryBytes,
          ssdBytes,
          weight,
          0,
          POOL_DEFAULT,
          memoryBytes + ssdBytes,
          ssdBytes);
    }
  }

  /**
   * A seat has started. Answered with {@link MapIs} once the ring is arranged.
   *
   * @param cluster the cluster it belongs to, or 0 if it is new
   * @param server the name of its server; copies go to servers of different names
   * @param serverSeats how many seats that server hosts
   * @param host the machine, so that clients on it know that they can use Unix sockets
   * @param knownEpoch the highest map it has seen
   * @param joins whether it sits down at a ring that is formed and does not know it
   * @param after behind which seat it wants to sit then, or {@link #ANYWHERE}
   */
  record Init(
      long cluster,
      String server,
      int serverSeats,
      String host,
      long knownEpoch,
      SeatOffer seat,
      boolean joins,
      SeatId after)
      implements Message {
    /** Behind any seat; no seat has this number. */
    public static final SeatId ANYWHERE = new SeatId(0);

    /** Of a seat that joins no ring that is formed. */
    public Init(
        long cluster,
        String server,
        int serverSeats,
        String host,
        long knownEpoch,
        SeatOffer seat) {
      this(cluster, server, serverSeats, host, knownEpoch, seat, false, ANYWHERE);
    }
  }

  /** A seat lives, and has applied the map of that epoch. Answered with Done or Failed. */
  record SeatReport(SeatId seat, long incarnation, long ringEpoch) implements Message {}

  /**
   * Creates an instance. Answered with {@link InstanceMade}; a retry gets the same answer.
   *
   * @param op drawn at random for each new instance, so that a client's retry is not refused
   *     because the instance exists already
   * @param lifetime {@code job} or {@code persistent}
   * @param access {@code shared} or {@code private}
   * @param capacityBytes user bytes; 0 for no limit
   * @param whenDegraded {@code degrade} or {@code wait}: what happens with fewer servers than
   *     copies
   * @param placement {@code ketama}, {@code isolated} or {@code stripes}
   * @param stripeBytes the unit of stripes
   * @param stripeWidth over how many seats a file is striped; 0 for all
   * @param backing the backing store as a URI; empty for none
   * @param drain the drain policy as text; empty for on close and at the end
   * @param keep the keep policy as text: what stays in the buffer longest; empty for what was
   *     drained last
   * @param over whether files that already exist in the backing store are shown
   * @param protection what its users may write, as text; empty for the default
   * @param permit {@code owner}, {@code group} or {@code everyone}: which users it admits
   * @param root {@code squash} or {@code allow}: what root of a client machine is on it
   * @param expiresSeconds since 1970: it ends then by itself; 0 for never
   * @param pool the pool that gives the capacity; empty for the default
   */
  record CreateInstance(
      long op,
      String name,
      Identity who,
      String lifetime,
      String access,
      long capacityBytes,
      int copies,
      boolean forced,
      String whenDegraded,
      String placement,
      long stripeBytes,
      int stripeWidth,
      String backing,
      String drain,
      String keep,
      boolean over,
      String protection,
      String permit,
      String root,
      long expiresSeconds,
      String pool)
      implements ClaimsUser {}

  /**
   * Gives an instance another capacity. Answered with {@link InstanceMade} once the map has it. If
   * the capacity is less than before, the instance's granules are freed once the home of its tree
   * has agreed: the map shows that, or the former capacity again.
   *
   * @param op as for creation
   */
  record ResizeInstance(long op, String name, Identity who, long capacityBytes)
      implements ClaimsUser {}

  /**
   * From the home of an instance's tree to the manager: the tree has been asked to hold no more
   * than a capacity. Answered with Done.
   *
   * @param fits whether it holds no more, and never will; else it holds more already
   */
  record TreeResized(int instance, GroupId group, long epoch, long capacityBytes, boolean fits)
      implements Message {}

  /**
   * Changes the settings of a pool. Answered with Done once the map has them.
   *
   * @param granuleBytes the unit of allocation; 0 to leave it
   * @param userBytesMax the capacity that one user may have; 0 for no limit, -1 to leave it
   * @param protection the default write protection; no element to leave it
   */
  record SetPool(
      String name, Identity who, long granuleBytes, long userBytesMax, List<String> protection)
      implements ClaimsUser {}

  record InstanceMade(int instance, long ringEpoch) implements Message {}

  /**
   * Destroys an instance with all its data, once its stages out are done and, if its policy says
   * so, the data is drained. Answered with Done once the map shows that the instance is ending.
   *
   * @param op as for creation; a retry destroys no later instance of that name
   */
  record DestroyInstance(long op, String name, Identity who) implements ClaimsUser {}

  /** The same at once, including data that is not drained or staged out. */
  record DiscardInstance(long op, String name, Identity who) implements ClaimsUser {}

  /**
   * Changes what an instance's users may write. Answered with Done once the map shows it.
   *
   * @param op as for creation
   * @param protection as text; {@code none} for no limits
   */
  record ProtectInstance(long op, String name, Identity who, String protection)
      implements ClaimsUser {}

  /**
   * Changes which users an instance admits, and revokes all capabilities for it. Answered with Done
   * once the map shows it.
   *
   * @param op as for creation
   * @param permit as for creation; empty to leave it
   * @param root as for creation; empty to leave it
   */
  record SetAccess(long op, String name, Identity who, String permit, String root)
      implements ClaimsUser {}

  /**
   * From a group's home to the manager: the group has no stages left of an instance that is ending,
   * and has drained all that its policy asks for. Repeated at intervals while the instance exists.
   * Answered with Done.
   */
  record TreesDrained(int instance, GroupId group, long epoch) implements Message {}

  /**
   * Asks for a lease on a group's names: its home asks every other current member, or the manager
   * if there is none.
   *
   * @param sentNanos the home's own clock, which comes back unchanged
   */
  record Lease(GroupId group, long epoch, SeatId home, long sentNanos) implements GroupMessage {}

  /** The member enters no newer epoch before the duration, counted from when it got the request. */
  record LeaseGranted(GroupId group, long epoch, SeatId member, long sentNanos, long durationNanos)
      implements Message {}

  /**
   * Asks whether a seat lives: sent by neighbours on the ring, and by clients with unanswered
   * writes. Answered with {@link Pong} at once.
   *
   * @param ringEpoch the epoch of the sender's map
   */
  record Ping(long ringEpoch) implements Message {}

  /**
   * It lives.
   *
   * @param start of the process that answers
   * @param ringEpoch the map it follows
   * @param load how full it is
   */
  record Pong(long start, long ringEpoch, Loads.Load load) implements Message {}

  /** Asks a seat whether another one answers it. Answered with {@link AliveIs} soon. */
  record AskAlive(SeatId suspect) implements Message {}

  record AliveIs(SeatId suspect, boolean alive) implements Message {}

  /**
   * Tells the manager that a seat does not answer its neighbour, or a client. Answered with Done.
   *
   * @param start of the suspected process
   * @param by the seat that noticed; for a client's report, the seat that confirmed it
   * @param confirmed whether it does not answer another seat either
   */
  record Suspect(SeatId suspect, long start, SeatId by, boolean confirmed) implements Message {}

  /**
   * From a group's home to the manager: the member holds everything acknowledged, and nothing has
   * been acknowledged without it since. Answered with Done once the map says that it is current.
   */
  record MemberComplete(GroupId group, long epoch, SeatId seat, long incarnation)
      implements Message {}

  /**
   * From a group's home to the manager: the member is alive, but has confirmed nothing for too
   * long; the group shall continue without it. Answered with Done once the map says so.
   */
  record MemberSlow(GroupId group, long epoch, SeatId seat, long incarnation) implements Message {}

  /**
   * Makes a server leave: other servers take over its groups. Answered with Done once the map says
   * that its seats are leaving; the map also shows when they have left.
   */
  record Leave(String server) implements Message {}

  /**
   * From a member to the manager: it could not force what it should keep, so it is no longer
   * current (P20). Answered with Done once the map says so. Failed, and retried, while no other
   * live member holds everything.
   */
  record MemberFailed(GroupId group, long epoch, SeatId seat, long incarnation, String reason)
      implements Message {}

  /**
   * From an operator to the manager: no member of the group is current, and the operator accepts
   * the loss; this member continues with the data it has (P11). Answered with Done once the map
   * says so.
   */
  record Revive(GroupId group, long epoch, SeatId seat, long incarnation) implements Message {}
}
