// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.client.core.retry.Backoff;
import io.forebay.client.core.retry.Refusal;
import io.forebay.client.core.retry.Retry;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.Address;
import io.forebay.wire.ManagerAddresses;
import io.forebay.wire.Network;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the home of a group, and retries at the current home until it gets an answer or its deadline
 * passes. Requests must be idempotent.
 */
public final class Router {
  /** The first and the longest pause before a retry. */
  private static final long RETRY_FIRST_NANOS = 2_000_000L;

  private static final long RETRY_NANOS_MAX = 500_000_000L;

  /** The minimum time between two warnings to the user that something waits. */
  private static final long WARN_NANOS = 10_000_000_000L;

  /** What a user is told of a cluster whose manager believes every program. */
  public static final String INSECURE =
      "this cluster is insecure: every program that reaches it can read, change and delete all data"
          + " (its manager was started with --insecure)";

  private final ClientConfig config;
  private final Timers timers;
  private final Retry.Ground retries;
  private final MapKeeper maps;
  private final Links links;
  private final Link manager;
  private final Set<Call<?>> calls = new LinkedHashSet<>();
  private final List<Runnable> listeners = new ArrayList<>();
  private final Consumer<String> warnings;
  private final Network network;
  private final UserProof proof;

  /** The user of requests: as configured, or as the manager says. */
  private Identity identity;

  private long warnedNanos;
  private boolean warnedOfOpenness;
  private boolean closed;

  /**
   * Makes the connections' ground; nothing is dialled yet.
   *
   * @param sender names this client to others: its first session
   */
  public Router(ClientConfig config, ClientEnvironment environment, long sender) {
    this.config = config;
    this.warnings = environment.warnings();
    this.proof = environment.proof();
    this.identity = config.identity();
    this.timers = environment.timers();
    this.warnedNanos = timers.nanos() - WARN_NANOS;
    Backoff backoff = Backoff.jittered(RETRY_FIRST_NANOS, RETRY_NANOS_MAX, environment.random());
    this.retries = new Retry.Ground(timers, backoff, this::waits);
    LinkGround ground =
        new LinkGround(
            timers,
            environment.network(),
            backoff,
            config.times().answerNanos(),
            config.times().overdueNanos(),
            () -> hello(sender),
            this::mapTold);
    this.manager =
        new Link(ground, Handshake.Lane.CONTROL, config.managers(), ground.answerNanos());
    manager.servedBy(config.managers(), false, null);
    this.network = environment.network();
    manager.whenTold(this::told);
    if (proof instanceof UserProof.ByCredential credentials) {
      manager.provedBy(new ManagerProof(credentials.maker(), timers, this::askForMap));
    }
    this.maps = new MapKeeper(timers, backoff, config.times().operationNanos(), manager);
    Access.GetCapability wanted = new Access.GetCapability(config.instance(), config.credential());
    CapabilityKeeper capability =
        new CapabilityKeeper(() -> askManager(wanted, Access.CapabilityIs.class));
    this.links = new Links(ground, config.node(), maps, capability);
    links.whenOverdue(
        new SilentSeatProbe(timers, maps, links, manager, ground.overdueNanos())::suspect);
    maps.listen(this::mapChanged);
  }

  /** Fetches the first map, and learns its user if the manager says it. */
  public CompletableFuture<RingMap> start() {
    CompletableFuture<RingMap> first = maps.start();
    if (proof instanceof UserProof.Claimed) return first;
    return first.thenCompose(map -> identified().thenApply(done -> map));
  }

  private CompletableFuture<Void> identified() {
    return askManager(new Access.GetUser(), Access.UserIs.class)
        .handle(
            (told, failure) -> {
              // One that may act for several users says for which.
              boolean several =
                  failure != null && RequestFailed.from(failure).code() == ErrorCode.INVALID;
              if (failure != null && !several) throw new CompletionException(failure);
              if (told != null) identity = told.user();
              return null;
            });
  }

  /** The user of requests; known once it has started. */
  public Identity identity() {
    return identity;
  }

  public ClientConfig config() {
    return config;
  }

  public MapKeeper maps() {
    return maps;
  }

  public Links links() {
    return links;
  }

  public Timers timers() {
    return timers;
  }

  /**
   * An operation is still pending. When it takes as long as any answer may, the user gets a warning
   * with the reason; the operation continues.
   */
  public void waits(long sinceNanos, String why) {
    long now = timers.nanos();
    long waitedNanos = now - sinceNanos;
    if (waitedNanos < config.times().answerNanos() || now - warnedNanos < WARN_NANOS) return;
    warnedNanos = now;
    warnings.accept(
        "waiting for %.1f s: %s; it is tried again until nothing has moved for %.0f s"
            .formatted(waitedNanos / 1e9, why, config.times().operationNanos() / 1e9));
  }

  /** The shared parts of all retries. */
  public Retry.Ground retries() {
    return retries;
  }

  /** Called after every change of the map, until it is forgotten. */
  public void whenMapChanges(Runnable listener) {
    listeners.add(listener);
  }

  /** Removes a listener for maps. */
  public void forget(Runnable listener) {
    listeners.remove(listener);
  }

  /** The map seems old: look for a newer one, and ask the seat that says so as well. */
  public void refreshMap(@Nullable Link toldBy) {
    maps.ask();
    if (toldBy != null) maps.askSeat(toldBy);
  }

  /**
   * The home of a group does not answer: the group may have a new one. Asks the manager and, in
   * case it cannot be reached, another member.
   */
  public void homeLost(GroupId id) {
    maps.ask();
    RingMap map = maps.current();
    Group group = map == null ? null : map.group(id);
    if (map == null || group == null) return;
    for (Group.Member member : group.members()) {
      SeatEntry seat = map.seat(member.seat());
      if (member.seat().equals(group.home()) || seat == null || seat.away()) continue;
      Link link = links.to(member.seat(), Handshake.Lane.CONTROL);
      if (link != null) maps.askSeat(link);
    }
  }

  private void askForMap() {
    maps.ask();
  }

  /** Waits until the map has at least that epoch; asks for it. */
  public CompletableFuture<RingMap> mapAt(long epoch) {
    return maps.at(epoch);
  }

  /**
   * Asks the home of a group about an instance; the message is created for the epoch of each try.
   */
  public <M extends Message> CompletableFuture<M> askHome(
      GroupId group, int instance, LongFunction<Message> atEpoch, Class<M> expected) {
    return askHome(group, instance, atEpoch, expected, timers.nanos());
  }

  /** The same for an answer that has been awaited since a time that may be past. */
  <M extends Message> CompletableFuture<M> askHome(
      GroupId group,
      int instance,
      LongFunction<Message> atEpoch,
      Class<M> expected,
      long sinceNanos) {
    return begin(new HomeCall<>(group, instance, atEpoch, expected), sinceNanos);
  }

  /** Asks the manager. */
  public <M extends Message> CompletableFuture<M> askManager(Message message, Class<M> expected) {
    return begin(new ManagerCall<>(message, expected), timers.nanos());
  }

  /** Asks one seat, which may be dead: the request times out sooner than others. */
  public <M extends Message> CompletableFuture<M> askSeat(
      SeatId seat, Message message, Class<M> expected) {
    return begin(new SeatCall<>(seat, message, expected), timers.nanos());
  }

  /**
   * Asks a seat how it is. Only that seat's own answer counts: when its directory was wiped, a
   * server without that seat listens at its address.
   */
  public CompletableFuture<Statuses.SeatStatus> askStatus(SeatId seat) {
    return askSeat(seat, new Statuses.GetStatus(), Statuses.SeatStatus.class)
        .thenCompose(
            status ->
                status.seat().equals(seat)
                    ? CompletableFuture.completedFuture(status)
                    : CompletableFuture.failedFuture(isAnother(seat, status)));
  }

  /** The map that a seat follows, as it tells it. */
  public CompletableFuture<Maps.MapIs> askMap(SeatId seat) {
    return askSeat(seat, new Maps.GetMap(0), Maps.MapIs.class);
  }

  private static RequestFailed isAnother(SeatId asked, Statuses.SeatStatus status) {
    String sentence =
        status.hasPlace()
            ? "%s has replaced %s: it listens at the same address, with another log"
                .formatted(status.seat(), asked)
            : "the server at the address of %s has a log that is not in the ring; start it with '--join true'"
                .formatted(asked);
    return new RequestFailed(ErrorCode.NOT_FOUND, sentence);
  }

  /** Gives everything up. */
  public void close() {
    if (closed) return;
    closed = true;
    for (Call<?> call : List.copyOf(calls)) {
      call.fail(new RequestFailed(ErrorCode.UNAVAILABLE, "the client is closed"));
    }
    maps.close();
    links.close();
  }

  private Handshake.Hello hello(long sender) {
    return Handshake.Hello.of(
        Handshake.Role.CLIENT, Handshake.Lane.CONTROL, maps.cluster(), config.node(), sender);
  }

  private void mapTold(Maps.MapIs told) {
    maps.told(told);
  }

  /** What a manager says unasked. */
  private void told(Message message) {
    if (message instanceof Access.TrustIs trust) trustTold(trust);
    else if (message instanceof Maps.ManagersAre told) redirected(told);
  }

  private void redirected(Maps.ManagersAre told) {
    try {
      List<Address> all = ManagerAddresses.with(config.managers(), told.addresses());
      Address leader = told.leader().isEmpty() ? null : Address.parse(told.leader());
      manager.servedBy(all, told.leads(), leader);
      if (told.leads()) managerLeads();
    } catch (IllegalArgumentException e) {
      warnings.accept("the manager names managers that have no address: " + e.getMessage());
    }
  }

  /** What a manager without a term refused is asked at once of the one that leads. */
  private void managerLeads() {
    maps.askNow();
    for (Call<?> call : List.copyOf(calls)) call.managerLeads();
  }

  private void trustTold(Access.TrustIs told) {
    network.refuseCertificates(told.revoked());
    links.revoked(told.revokedServers());
    if (!told.open() || warnedOfOpenness) return;
    warnedOfOpenness = true;
    warnings.accept(INSECURE);
  }

  private void mapChanged() {
    for (Call<?> call : List.copyOf(calls)) call.mapChanged();
    for (Runnable listener : List.copyOf(listeners)) listener.run();
  }

  private <M extends Message> CompletableFuture<M> begin(Call<M> call, long sinceNanos) {
    if (closed) {
      call.fail(new RequestFailed(ErrorCode.UNAVAILABLE, "the client is closed"));
    } else {
      calls.add(call);
      call.retry.start(sinceNanos);
    }
    return call.future;
  }

  /** A request without a payload. */
  private abstract class Call<M extends Message> implements Retry.Request {
    final CompletableFuture<M> future = new CompletableFuture<>();
    final Retry retry;
    private final Class<M> expected;

    Call(Class<M> expected, long allowedNanos) {
      this.expected = expected;
      this.retry = new Retry(retries, allowedNanos, this);
    }

    /** The peer that is asked, for messages to users. */
    abstract String whom();

    void mapChanged() {}

    void managerLeads() {}

    /** The peer does not answer. */
    void unanswered() {
      maps.ask();
    }

    void send(Retry.Try now, Link link, Message message) {
      link.send(
          message,
          null,
          new Link.Reply() {
            @Override
            public void answered(Message answer) {
              if (now.isCurrent()) Call.this.answered(link, answer);
            }

            @Override
            public void lost(Link.Loss loss) {
              if (!now.isCurrent()) return;
              retry.unanswered(link.livedNanos());
              unanswered();
              retry.again(whom() + " " + link.trouble());
            }
          });
    }

    private void answered(Link link, Message answer) {
      if (expected.isInstance(answer)) {
        end();
        future.complete(expected.cast(answer));
      } else if (answer instanceof Replies.Failed failed) {
        refused(link, failed);
      } else {
        fail(new RequestFailed(ErrorCode.MALFORMED, whom() + " answered " + answer));
      }
    }

    private void refused(Link link, Replies.Failed failed) {
      Refusal refusal = Refusal.of(failed.code());
      if (refusal.wantsMap()) refreshMap(link);
      if (refusal.allowsRetry(isInstanceKnown())) {
        retry.again(whom() + " says: " + failed.detail());
      } else {
        fail(RequestFailed.of(failed));
      }
    }

    /** Whether the map has the instance that is asked about. */
    boolean isInstanceKnown() {
      return false;
    }

    @Override
    public void givenUp(String why, long triedNanos) {
      fail(RequestFailed.givenUp(why, triedNanos));
    }

    void fail(RequestFailed failure) {
      end();
      future.completeExceptionally(failure);
    }

    private void end() {
      retry.end();
      calls.remove(this);
    }
  }

  private final class HomeCall<M extends Message> extends Call<M> {
    private final GroupId id;
    private final int instance;
    private final LongFunction<Message> atEpoch;

    HomeCall(GroupId id, int instance, LongFunction<Message> atEpoch, Class<M> expected) {
      super(expected, config.times().operationNanos());
      this.id = id;
      this.instance = instance;
      this.atEpoch = atEpoch;
    }

    @Override
    public void send(Retry.Try now) {
      Group group = maps.map().group(id);
      Link link = group == null ? null : links.to(group.home(), Handshake.Lane.CONTROL);
      if (group == null || link == null) {
        maps.ask();
        retry.again(group == null ? "the map has no " + id : links.whyNot(group.home()));
        return;
      }
      retry.asksHome(group);
      send(now, link, atEpoch.apply(group.epoch()));
    }

    @Override
    void unanswered() {
      homeLost(id);
    }

    @Override
    boolean isInstanceKnown() {
      return maps.map().instance(instance) != null;
    }

    @Override
    String whom() {
      SeatId asked = retry.asked();
      return asked == null ? id.toString() : asked + ", home of " + id + ",";
    }

    @Override
    void mapChanged() {
      retry.mapChanged(maps.map().group(id));
    }
  }

  private final class ManagerCall<M extends Message> extends Call<M> {
    private final Message message;

    ManagerCall(Message message, Class<M> expected) {
      super(expected, config.times().operationNanos());
      this.message = message;
    }

    @Override
    public void send(Retry.Try now) {
      send(now, manager, message);
    }

    @Override
    void managerLeads() {
      retry.hurry();
    }

    @Override
    String whom() {
      return "the manager";
    }
  }

  private final class SeatCall<M extends Message> extends Call<M> {
    private final SeatId seat;
    private final Message message;

    SeatCall(SeatId seat, Message message, Class<M> expected) {
      // A request to one particular seat does not wait long: the seat may be dead, and no other can
      // answer.
      super(expected, config.times().answerNanos());
      this.seat = seat;
      this.message = message;
    }

    @Override
    public void send(Retry.Try now) {
      Link link = links.to(seat, Handshake.Lane.CONTROL);
      if (link == null) {
        fail(new RequestFailed(ErrorCode.NOT_FOUND, links.whyNot(seat)));
      } else {
        send(now, link, message);
      }
    }

    @Override
    String whom() {
      return seat.toString();
    }
  }
}
