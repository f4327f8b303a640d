// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.access;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.base.proof.Capability;
import io.forebay.base.proof.Rights;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.Callers;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.proof.Principal;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.right.MessageNeeds;
import io.forebay.wire.right.Need;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages of a connection a seat takes (P32):
 *
 * <ol>
 *   <li>The {@link Principal} of a connection follows from what its other end has proved. Parts of
 *       the cluster and operators are believed about users.
 *   <li>Messages of seats count only from the server that the map gives that seat to, and only
 *       while that server is not revoked.
 *   <li>All others present capabilities, which the manager has signed. A message about an instance
 *       needs a capability for that instance, of its access epoch, with the right that {@link
 *       MessageNeeds} says, and acts for the user of that capability only.
 *   <li>Root of a client machine is nobody, unless the capability says that it is root.
 *   <li>Requests about an instance that has ended are refused, whatever was presented (P37).
 * </ol>
 *
 * Called by the seat's loop.
 */
public final class Entrances implements Callers {
  /** The maximum of capabilities that one connection presents. */
  static final int CAPABILITIES_MAX = Math.toIntExact(Limit.CAPABILITIES_PER_CONNECTION.value());

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final String REVOKED = "the certificate of that server is revoked";

  /** Why a message is not taken. */
  public record Refused(ErrorCode code, String sentence) {}

  /** What a connection has proved. */
  private static final class Entrance {
    final Principal principal;

    /** By instance; none for trusted ends. */
    final Map<Integer, Capability> capabilities = new HashMap<>();

    Entrance(Principal principal) {
      this.principal = principal;
    }
  }

  private final Trust trust;
  private final MapView maps;
  private final SeatKeys keys;
  private final WallClock wallClock;
  private final LimitCounts limits;
  private final Map<Connection, Entrance> entrances = new HashMap<>();

  /** Their certificates are revoked. Connections through Unix sockets show none. */
  private Set<String> revokedServers = Set.of();

  /**
   * Without any connection.
   *
   * @param wallClock says when capabilities expire
   */
  public Entrances(
      Trust trust, MapView maps, SeatKeys keys, WallClock wallClock, LimitCounts limits) {
    this.limits = limits;
    this.trust = trust;
    this.maps = maps;
    this.keys = keys;
    this.wallClock = wallClock;
  }

  public void opened(Connection connection) {
    entrances.put(connection, new Entrance(trust.principalOf(connection.peer())));
    closeIfRevoked(connection);
  }

  /** The manager tells which servers are revoked: their seats are not heard any more. */
  public void revoked(Collection<String> servers) {
    revokedServers = Set.copyOf(servers);
    for (Connection connection : List.copyOf(entrances.keySet())) closeIfRevoked(connection);
  }

  private void closeIfRevoked(Connection connection) {
    if (isOfRevoked(connection)) connection.close(REVOKED);
  }

  /** Whether a server takes no part any more, whatever its connections prove. */
  public boolean isRevoked(String server) {
    return revokedServers.contains(server);
  }

  /** Whether it comes from a seat that the map gives to a revoked server. */
  private boolean isOfRevoked(Connection from) {
    if (revokedServers.isEmpty() || from.hello().role() != Handshake.Role.SEAT) return false;
    SeatEntry seat = seatOf(from.hello().sender());
    return seat != null && isRevoked(seat.server());
  }

  private @Nullable SeatEntry seatOf(long sender) {
    RingMap map = maps.map();
    boolean possible = sender == (int) sender;
    return map == null || !possible ? null : map.seat(new SeatId((int) sender));
  }

  public void closed(Connection connection) {
    entrances.remove(connection);
  }

  private Entrance of(Connection connection) {
    Entrance known = entrances.get(connection);
    if (known == null) throw new IllegalStateException("a message before the opening");
    return known;
  }

  @Override
  public boolean isSeat(Connection from) {
    if (from.hello().role() != Handshake.Role.SEAT || isOfRevoked(from)) return false;
    Principal principal = of(from).principal;
    if (principal instanceof Principal.Operator) return true;
    return principal instanceof Principal.Server server
        && isSeatOf(server.name(), from.hello().sender());
  }

  /** A server speaks for its own seats only (P32). */
  @Rule("P32")
  private boolean isSeatOf(String server, long sender) {
    SeatEntry seat = seatOf(sender);
    return seat != null && seat.server().equals(server);
  }

  /** The client of a connection presents a capability; returns why it is not taken, or null. */
  public @Nullable Refused present(Connection from, Bytes signed) {
    Entrance entrance = of(from);
    if (entrance.principal.isTrusted()) return null;
    if (!keys.has(signed)) {
      return new Refused(ErrorCode.UNAVAILABLE, "this seat does not have the key yet");
    }
    Capability shown = keys.verify(signed);
    if (shown == null || !counts(shown)) {
      return new Refused(ErrorCode.UNPROVED, "the capability is not valid, or not any more");
    }
    boolean another = !entrance.capabilities.containsKey(shown.instance());
    if (another && entrance.capabilities.size() >= CAPABILITIES_MAX) {
      limits.reached(Limit.CAPABILITIES_PER_CONNECTION);
      return new Refused(
          ErrorCode.BUSY, "one connection presents at most " + CAPABILITIES_MAX + " capabilities");
    }
    entrance.capabilities.put(shown.instance(), shown);
    return null;
  }

  private boolean counts(Capability capability) {
    return isValid(capability) && isOfEpoch(capability);
  }

  /** A capability counts until it expires, and while its key counts (P32). */
  @Rule("P32")
  private boolean isValid(Capability capability) {
    return keys.isCurrent(capability.keyId())
        && wallClock.nanos() / NANOS_PER_SECOND < capability.expiresSeconds();
  }

  /** A capability of an earlier access epoch of its instance counts no more (P32). */
  @Rule("P32")
  private boolean isOfEpoch(Capability capability) {
    Instance instance = maps.instance(capability.instance());
    return instance == null || capability.epoch() >= instance.tenancy().accessEpoch();
  }

  /** Of an instance that has ended clients get nothing and write nothing (P37). */
  @Rule("P37")
  private boolean isOver(int instance) {
    return maps.hasEnded(instance);
  }

  /** Why a message is not taken, or null if it is. */
  public @Nullable Refused refusal(Connection from, Message message) {
    Need need = MessageNeeds.of(message);
    Entrance entrance = of(from);
    if (isOfRevoked(from)) return new Refused(ErrorCode.REFUSED, REVOKED);
    if (need == Need.SEAT) return isSeat(from) ? null : onlySeats(entrance, message);
    int instance = MessageNeeds.instanceOf(message);
    if (isOver(instance) && !isSeat(from)) {
      return new Refused(ErrorCode.UNKNOWN_INSTANCE, "instance " + instance + " has ended");
    }
    if (entrance.principal.isTrusted() || need == Need.NOTHING) return null;
    if (need.right() == 0 && need != Need.PROOF) {
      return new Refused(ErrorCode.REFUSED, entrance.principal.describe() + " may not send it");
    }
    Capability shown = capability(entrance, instance, need);
    if (shown == null) {
      return new Refused(ErrorCode.UNPROVED, "no valid capability was presented for it");
    }
    if (!mayUse(shown, need)) {
      return new Refused(
          ErrorCode.ACCESS_DENIED,
          "the capability allows to " + Rights.describe(shown.rights()) + " only");
    }
    if (!(message instanceof ClaimsUser claims)) return null;
    Identity who = isSquashed(shown, instance, claims) ? Identity.nobody() : claims.who();
    if (!mayActFor(shown, who)) return notThatUser(shown, claims.who());
    boolean administers = need != Need.ADMINISTER || mayAdminister(maps.instance(instance), who);
    return administers ? null : new Refused(ErrorCode.ACCESS_DENIED, "only the owner may do it");
  }

  /**
   * What servers do with the rights of an instance's owner, only the owner and root ask for (P32).
   */
  @Rule("P32")
  private static boolean mayAdminister(@Nullable Instance instance, Identity who) {
    return instance != null && (who.isRoot() || who.user() == instance.owner());
  }

  /** A message that was not refused, as it counts: with the user that it acts for. */
  public Message taken(Connection from, Message message) {
    Entrance entrance = of(from);
    boolean ofRoot = message instanceof ClaimsUser request && request.who().isRoot();
    if (!ofRoot || entrance.principal.isTrusted()) return message;
    int instance = MessageNeeds.instanceOf(message);
    Capability shown = capability(entrance, instance, MessageNeeds.of(message));
    return message instanceof ClaimsUser claims && isSquashed(shown, instance, claims)
        ? RootSquash.squashed(claims)
        : message;
  }

  private static boolean isSquashed(@Nullable Capability shown, int instance, ClaimsUser request) {
    return request.who().isRoot() && (shown == null || !mayBeRoot(shown, instance));
  }

  /** Root of a client machine is root only where its capability says so (P32). */
  @Rule("P32")
  private static boolean mayBeRoot(Capability capability, int instance) {
    return capability.instance() == instance && capability.allows(Rights.ROOT);
  }

  /**
   * The capability that a message needs: one for its instance. What is about no instance is allowed
   * by any capability.
   */
  private @Nullable Capability capability(Entrance entrance, int instance, Need need) {
    boolean any = need == Need.PROOF || instance == Capability.CLUSTER;
    if (!any) return valid(entrance.capabilities.get(instance));
    for (Capability each : entrance.capabilities.values()) {
      if (counts(each)) return each;
    }
    return null;
  }

  private @Nullable Capability valid(@Nullable Capability shown) {
    return shown != null && counts(shown) ? shown : null;
  }

  /** A capability allows what its rights say (P32). */
  @Rule("P32")
  private static boolean mayUse(Capability capability, Need need) {
    return capability.allows(need.right());
  }

  /** A client acts for the user of its capability only (P32). */
  @Rule("P32")
  private static boolean mayActFor(Capability capability, Identity who) {
    if (capability.allows(Rights.ANY_USER)) return true;
    return capability.user() == who.user() && capability.groups().containsAll(who.groups());
  }

  private static Refused notThatUser(Capability shown, Identity who) {
    return new Refused(
        ErrorCode.REFUSED,
        "the client has proved to be user %s in groups %s, not user %s in groups %s"
            .formatted(
                Integer.toUnsignedString(shown.user()),
                shown.groups(),
                Integer.toUnsignedString(who.user()),
                who.groups()));
  }

  @Override
  public @Nullable String capabilityFor(Connection from, Message message) {
    // The connection may have been closed since.
    Entrance entrance = entrances.get(from);
    if (entrance == null) return null;
    int instance = MessageNeeds.instanceOf(message);
    Capability shown = capability(entrance, instance, MessageNeeds.of(message));
    return shown == null ? null : "capability of user " + Integer.toUnsignedString(shown.user());
  }

  private static Refused onlySeats(Entrance entrance, Message message) {
    return new Refused(
        ErrorCode.REFUSED,
        "%s comes from seats only, and this is %s"
            .formatted(message.getClass().getSimpleName(), entrance.principal.describe()));
  }

  /** Whether a connection may learn something of an instance. */
  public boolean mayObserve(Connection from, Instance instance) {
    Entrance entrance = of(from);
    if (entrance.principal.isTrusted() || isSeat(from)) return true;
    for (Capability each : entrance.capabilities.values()) {
      if (counts(each) && isOf(each, instance)) return true;
    }
    return false;
  }

  private static boolean isOf(Capability capability, Instance instance) {
    return capability.instance() == instance.id()
        || (capability.instance() == Capability.CLUSTER
            && instance.admits(capability.user(), capability.groups()));
  }

  /** Shows the instances that the client may use. */
  @Override
  public Maps.MapIs mapFor(Connection from, long haveEpoch) {
    Maps.MapIs whole = maps.mapSince(haveEpoch);
    RingMap map = maps.map();
    boolean all = of(from).principal.isTrusted() || isSeat(from);
    if (all || map == null || whole.map().length() == 0) return whole;
    RingMap visible = map.showing(instance -> mayObserve(from, instance));
    return new Maps.MapIs(whole.ringEpoch(), RingMapCodec.write(visible));
  }
}
