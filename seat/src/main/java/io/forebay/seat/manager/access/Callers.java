// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.desk.ConnectedPeers;
import io.forebay.seat.manager.job.JobCallers;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.proof.Principal;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.right.MessageNeeds;
import io.forebay.wire.right.Need;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The other ends of a manager's connections, and which requests it takes from them (P32). Requests
 * of seats count only from a server's certificate, and only about that server's own seats. The
 * requests of a user wait until the user's groups are known.
 */
public final class Callers implements ConnectedPeers.Sight, JobCallers {
  private final Trust trust;
  private final Supplier<@Nullable RingMap> map;
  private final GroupLookup groups;
  private final Map<Connection, Principal> principals = new LinkedHashMap<>();

  private Consumer<Connection> whenKnown = connection -> {};

  /** The connections whose user was proved by a credential. */
  private final Set<Connection> byCredential = new HashSet<>();

  /**
   * Without any connection.
   *
   * @param map the newest map; null before the ring is formed
   */
  public Callers(Trust trust, Supplier<@Nullable RingMap> map, GroupLookup groups) {
    this.trust = trust;
    this.map = map;
    this.groups = groups;
  }

  /** Sets what is called when it is known what the other end of a connection is. */
  public void whenKnown(Consumer<Connection> action) {
    whenKnown = action;
  }

  public void opened(Connection connection) {
    Principal principal = trust.principalOf(connection.peer());
    principals.put(connection, principal);
    if (principal instanceof Principal.User user) admit(connection, user.identity(), () -> {});
    else whenKnown.accept(connection);
  }

  public void closed(Connection connection) {
    principals.remove(connection);
    byCredential.remove(connection);
  }

  /**
   * A credential has proved the user of a connection.
   *
   * @param then called when the connection has that user, if it is still open
   */
  void proved(Connection connection, Identity user, Runnable then) {
    if (!principals.containsKey(connection)) return;
    byCredential.add(connection);
    admit(connection, user, then);
  }

  /** Until its groups are known it may do nothing, and gets no map. */
  private void admit(Connection connection, Identity user, Runnable then) {
    principals.put(connection, new Principal.Stranger());
    groups.complete(
        user,
        whole -> {
          if (!principals.containsKey(connection)) return;
          principals.put(connection, new Principal.User(whole));
          whenKnown.accept(connection);
          connection.start();
          then.run();
        });
    if (of(connection) instanceof Principal.Stranger) connection.stop();
  }

  /**
   * Looks up the groups of a user again.
   *
   * @param then gets what the connection is, if it is still open
   */
  void refresh(Connection connection, Consumer<Principal> then) {
    if (!(of(connection) instanceof Principal.User user)) {
      then.accept(of(connection));
      return;
    }
    groups.complete(
        user.identity(),
        whole -> {
          if (!principals.containsKey(connection)) return;
          Principal now = new Principal.User(whole);
          principals.put(connection, now);
          then.accept(now);
        });
  }

  /** What a connection has proved by a credential, for the audit; null for nothing. */
  public @Nullable String credentialOf(Connection connection) {
    boolean proved = byCredential.contains(connection);
    return proved && of(connection) instanceof Principal.User user
        ? user.describe() + " by MUNGE"
        : null;
  }

  public Principal of(Connection connection) {
    Principal known = principals.get(connection);
    return known == null ? new Principal.Stranger() : known;
  }

  /** All connections. */
  List<Connection> connections() {
    return List.copyOf(principals.keySet());
  }

  @Override
  public String agentOf(Connection connection) {
    return of(connection) instanceof Principal.Agent agent ? agent.node() : "";
  }

  /** The connections of seats. */
  List<Connection> seats() {
    return principals.keySet().stream().filter(this::isSeat).toList();
  }

  @Override
  public boolean seesMaps(Connection connection) {
    return !(of(connection) instanceof Principal.Stranger);
  }

  @Override
  public boolean sees(Connection connection, Instance instance) {
    Principal principal = of(connection);
    if (!(principal instanceof Principal.User)) return true;
    Identity user = InstanceUsers.of(principal, instance);
    return user != null && instance.admits(user.user(), user.groups());
  }

  /** Users see their own jobs: what a job stages from where is not for others. */
  @Override
  public boolean sees(Connection connection, Jobs.Job job) {
    return seesAll(connection)
        || (of(connection) instanceof Principal.User user && user.identity().user() == job.user());
  }

  @Override
  public boolean seesAll(Connection connection) {
    Principal principal = of(connection);
    return principal.isTrusted() || principal instanceof Principal.Agent;
  }

  /** Whether it comes from a seat. */
  public boolean isSeat(Connection connection) {
    Principal principal = of(connection);
    return connection.hello().role() == Handshake.Role.SEAT
        && (principal instanceof Principal.Operator || principal instanceof Principal.Server);
  }

  /** Why a request is not taken, or null if it is. */
  public Result.@Nullable Refused refusal(Connection from, Message message) {
    Principal principal = of(from);
    if (!mayAsk(principal, isSeat(from), MessageNeeds.of(message))) {
      if (principal instanceof Principal.Stranger) {
        return new Result.Refused(ErrorCode.UNPROVED, stranger(from));
      }
      return new Result.Refused(
          ErrorCode.REFUSED,
          "%s may not send %s".formatted(principal.describe(), message.getClass().getSimpleName()));
    }
    if (principal instanceof Principal.Server server && !isAboutOwnSeats(server, message)) {
      return new Result.Refused(
          ErrorCode.REFUSED, principal.describe() + " speaks for its own seats only");
    }
    if (message instanceof ClaimsUser claims && !mayActFor(principal, claims)) {
      return new Result.Refused(
          ErrorCode.REFUSED,
          isForBatch(principal, claims)
              ? principal.describe()
                  + " does not speak for the batch system; that needs a certificate of role batch"
              : "%s may not act for user %s"
                  .formatted(principal.describe(), Integer.toUnsignedString(claims.who().user())));
    }
    return null;
  }

  private static String stranger(Connection from) {
    return from.remote()
        + " has proved no user: use a token, a certificate, MUNGE (FOREBAY_PROOF=munge) or a node's"
        + " agent, or run on the machine of the manager";
  }

  /** A request needs the proof that the table of messages says (P32). */
  @Rule("P32")
  private static boolean mayAsk(Principal principal, boolean seat, Need need) {
    return switch (need) {
      case NOTHING, ANSWER -> true;
      case PROOF, OBSERVE, READ, WRITE, ADMINISTER -> !(principal instanceof Principal.Stranger);
      case SEAT -> seat;
      case AGENT -> principal.isTrusted() || principal instanceof Principal.Agent;
      case MANAGER ->
          principal instanceof Principal.Operator || principal instanceof Principal.ManagerNode;
      case OPERATOR -> principal instanceof Principal.Operator;
    };
  }

  /**
   * A caller acts for the users that it has proved (P32). An agent has proved the users of its
   * node. One of role batch also does what the batch system asks for, for all users. Root of
   * another machine is no operator.
   */
  @Rule("P32")
  private static boolean mayActFor(Principal principal, ClaimsUser request) {
    if (principal instanceof Principal.Agent agent) {
      return switch (request) {
        case Jobs.ReportNode report -> agent.node().equals(report.node());
        case Jobs.Request _ -> agent.batch();
        default -> !request.who().isRoot();
      };
    }
    boolean asRoot = request.who().isRoot() && !principal.isTrusted();
    return !asRoot && principal.mayActFor(request.who());
  }

  private static boolean isForBatch(Principal principal, ClaimsUser request) {
    return principal instanceof Principal.Agent
        && request instanceof Jobs.Request
        && !(request instanceof Jobs.ReportNode);
  }

  /** A server speaks for its own seats only (P32). */
  @Rule("P32")
  private boolean isAboutOwnSeats(Principal.Server server, Message message) {
    return switch (message) {
      case Maps.Init init -> server.name().equals(init.server()) && isOwnOrNew(server, init.seat());
      case Maps.SeatReport report -> isOwn(server, report.seat());
      case Maps.Lease lease -> isOwn(server, lease.home());
      case Maps.MemberFailed failed -> isOwn(server, failed.seat());
      default -> true;
    };
  }

  private boolean isOwn(Principal.Server server, SeatId seat) {
    RingMap known = map.get();
    SeatEntry entry = known == null ? null : known.seat(seat);
    return entry == null || entry.server().equals(server.name());
  }

  /** Logs are bound to their server: a log that the map gives to another is not taken. */
  private boolean isOwnOrNew(Principal.Server server, Maps.SeatOffer offer) {
    RingMap known = map.get();
    if (known == null) return true;
    for (SeatEntry seat : known.seats()) {
      boolean same = seat.logHigh() == offer.logHigh() && seat.logLow() == offer.logLow();
      if (same) return seat.server().equals(server.name());
    }
    return true;
  }
}
