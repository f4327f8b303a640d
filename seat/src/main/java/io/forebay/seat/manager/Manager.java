// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.audit.MalformedAudit;
import io.forebay.seat.audit.ManagerAudit;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.manager.access.Admission;
import io.forebay.seat.manager.access.Callers;
import io.forebay.seat.manager.access.CapabilityDesk;
import io.forebay.seat.manager.access.GroupLookup;
import io.forebay.seat.manager.access.ProofDesk;
import io.forebay.seat.manager.access.TrustNotices;
import io.forebay.seat.manager.certificate.CertificateDesk;
import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.ConnectedPeers;
import io.forebay.seat.manager.desk.Decisions;
import io.forebay.seat.manager.desk.DeskParts;
import io.forebay.seat.manager.desk.Gathering;
import io.forebay.seat.manager.desk.GrantedLeases;
import io.forebay.seat.manager.desk.InstanceDesk;
import io.forebay.seat.manager.desk.JoinDesk;
import io.forebay.seat.manager.desk.LeaseDesk;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.seat.manager.desk.MemberDesk;
import io.forebay.seat.manager.desk.RevivalDesk;
import io.forebay.seat.manager.desk.SelfReportedFailures;
import io.forebay.seat.manager.desk.Sightings;
import io.forebay.seat.manager.desk.SilentSeats;
import io.forebay.seat.manager.job.JobDesk;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.OfferRules;
import io.forebay.seat.manager.state.Result;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.LogPace;
import io.forebay.wire.Network;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the map. It waits for the expected servers, forms the ring, and from then on answers with
 * the map, pushes each new one to all seats and clients, creates and destroys instances, and grants
 * leases to homes without another current member. Nothing is visible before it is committed.
 *
 * <p>A manager that sees an epoch which its log does not know stops: a newer log was lost, and its
 * decisions would contradict earlier ones.
 *
 * <p>Called by its owner's loop only, which also runs the timers and polls the consensus.
 */
public final class Manager {
  /** The environment of a manager. */
  public record Environment(
      Timers timers,
      Network network,
      Consensus consensus,
      RandomGenerator random,
      ManagerEvents events) {}

  static final long RETRY_NANOS = 100_000_000;

  private enum State {
    /** Does not lead, or its term has not begun. */
    STARTING,
    /** Leads, and waits for the seats of the first ring. */
    GATHERING,
    FORMING,
    SERVING,
    STOPPED
  }

  private final ManagerConfig config;
  private final Environment environment;
  private final Timers timers;
  private final ManagerEvents events;
  private final ManagerAudit audit;
  private final LogPace pace;
  private final ManagerState state;
  private final ConnectedPeers visitors;
  private final ManagerPeers peers;
  private final ManagerDoor door;
  private final Gathering gathering;
  private final RingFormation formation;
  private final ConfirmedLeadership confirmation;
  private final UnknownEpochs unknown;
  private final GrantedLeases leases = new GrantedLeases();
  private final SeatReturns returns;
  private final Decisions decisions;
  private final InstanceDesk instances;
  private final JobDesk jobs;
  private final LeaseDesk leaseDesk;
  private final Sightings sightings;
  private final SilentSeats silence;
  private final MemberDesk members;
  private final JoinDesk joins;
  private final SelfReportedFailures failures;
  private final RevivalDesk revivals;
  private final InstanceExpiry expiry;
  private final MemberCompletions completions;
  private final Callers callers;
  private final ProofDesk proofs;
  private final CapabilityDesk capabilities;
  private final CertificateDesk certificates;
  private final TrustNotices trust;
  private State phase = State.STARTING;
  private String pausedBecause = "the manager is starting";
  private String stoppedBecause = "";
  private boolean leading;

  /** Whether committed state may be sent: what a restarted manager found may not be safe. */
  private boolean begun;

  /**
   * Makes a manager.
   *
   * @param wallClock says when instances, capabilities, keys, tokens and certificates expire;
   *     nothing else depends on it
   */
  public Manager(
      ManagerConfig config, Environment environment, WallClock wallClock, Admission admission) {
    this.config = config;
    this.environment = environment;
    this.timers = environment.timers();
    this.events = environment.events();
    this.pace = new LogPace(timers::nanos);
    this.state = new ManagerState();
    LimitCounts limits = environment.network().limits();
    GroupLookup groups = new GroupLookup(admission.users(), timers, events, pace);
    this.callers = new Callers(admission.trust(), this::map, groups);
    ProofDesk.Notices notices = new ProofDesk.Notices(events, pace, limits);
    this.proofs = new ProofDesk(callers, admission.credentials(), timers, notices);
    this.audit = new ManagerAudit(events, callers::credentialOf);
    this.visitors = new ConnectedPeers(callers, limits);
    this.peers =
        new ManagerPeers(
            environment.consensus(), visitors, events, () -> leading, this::hasBegunTerm);
    this.door = new ManagerDoor(state, visitors, new MalformedAudit(events, timers::nanos));
    this.gathering = new Gathering(config.expectedServers());
    this.decisions = new Decisions(environment.consensus(), state, events, limits, this::changed);
    this.instances = new InstanceDesk(state, decisions, config.defaultCopies(), limits);
    DeskParts parts = new DeskParts(state, decisions, leases, timers, events);
    this.jobs = new JobDesk(parts, config.defaultCopies(), callers, limits);
    this.leaseDesk = new LeaseDesk(state, leases, timers, this::overtaken);
    this.sightings = new Sightings(timers);
    this.formation = new RingFormation(config, parts, gathering, new Forming());
    this.confirmation = new ConfirmedLeadership(environment.consensus(), timers, limits);
    this.unknown = new UnknownEpochs(environment.consensus(), confirmation, timers, new Doubt());
    this.silence = new SilentSeats(parts, sightings, () -> phase == State.SERVING);
    this.returns = new SeatReturns(parts, silence, () -> phase == State.SERVING, this::readmit);
    this.joins = new JoinDesk(parts, config.expectedServers(), pace, this::init);
    this.members = new MemberDesk(config, parts, () -> phase == State.SERVING);
    this.failures = new SelfReportedFailures(parts, sightings);
    this.revivals = new RevivalDesk(parts);
    this.completions = new MemberCompletions(parts, visitors::push);
    this.expiry = new InstanceExpiry(parts, wallClock, () -> phase == State.SERVING);
    this.capabilities =
        new CapabilityDesk(
            parts, callers, wallClock, admission.secrets(), () -> phase == State.SERVING);
    this.certificates =
        new CertificateDesk(
            new CertificateDesk.Parts(
                state, decisions, admission.signer(), wallClock, audit, events, limits),
            admission.secrets());
    this.trust = new TrustNotices(admission.trust().open(), callers, state.certificates());
    callers.whenKnown(trust::opened);
  }

  /** Recovers the committed state, and listens. */
  public Network.Listener start(Address at) throws IOException {
    environment.consensus().start(decisions, new Leadership());
    silence.start();
    members.start();
    expiry.start();
    capabilities.start();
    certificates.start(timers, this::decides);
    return environment.network().listen(at, door, new Requests());
  }

  /** The newest map that others may know, or null before the ring is formed. */
  public @Nullable RingMap map() {
    return visitors.map();
  }

  // Decisions.

  private final class Leadership implements Consensus.Leadership {
    @Override
    public void leading() {
      leading = true;
      leases.start(timers.nanos() + confirmation.predecessorNanos());
      if (!confirmation.isAlone()) {
        confirmation.begin();
        sightings.takeOver();
        members.takeOver();
        instances.takeOver();
      }
      peers.changed();
      beginTerm();
    }

    @Override
    public void lost(String reason) {
      leading = false;
      if (phase == State.STOPPED) return;
      pause("the manager decides nothing now: " + reason);
    }

    @Override
    public void membersChanged() {
      peers.changed();
    }
  }

  private void pause(String reason) {
    phase = State.STARTING;
    pausedBecause = reason;
    peers.changed();
    events.warned(reason);
  }

  private void beginTerm() {
    if (!leading) return;
    long cluster = state.cluster() != 0 ? state.cluster() : someCluster();
    decisions.propose(
        new Command.BeginTerm(state.term() + 1, cluster, config.granuleBytes()),
        result -> termBegun(),
        why -> {
          events.warned("beginning a term: " + why);
          timers.after(RETRY_NANOS, this::beginTerm);
        });
  }

  private long someCluster() {
    long cluster = environment.random().nextLong();
    return cluster == 0 ? 1 : cluster;
  }

  private void termBegun() {
    if (phase == State.STOPPED) return;
    events.told(
        "manager of cluster %016x leads in term %d".formatted(state.cluster(), state.term()));
    begun = true;
    certificates.enterOwn();
    phase = state.formed() ? State.SERVING : State.GATHERING;
    peers.changed();
    if (state.formed()) {
      publish();
      readmit();
      return;
    }
    for (Gathering.Guest guest : gathering.guests()) {
      if (overtaken(OfferRules.nameOf(guest.init()), guest.init().knownEpoch())) return;
    }
    formation.formIfComplete();
  }

  /** Whether it can decide what does not depend on the ring. */
  private boolean decides() {
    return begun && leading && phase != State.STOPPED;
  }

  private boolean hasBegunTerm() {
    return decides() && phase != State.STARTING;
  }

  private void changed() {
    certificates.changed();
    trust.changed();
    publish();
  }

  private void publish() {
    capabilities.tellKeys();
    boolean newer = state.epoch() > visitors.epoch();
    if (begun && newer && state.formed() && phase != State.STOPPED) visitors.publish(state.map());
  }

  /** Asks again for callers that came while the manager could not answer. */
  private void readmit() {
    gathering.dismiss().forEach(this::readmit);
  }

  private void readmit(Gathering.Guest guest) {
    init(guest.init(), guest.caller());
  }

  // Callers and their requests.

  private final class Requests implements Handler {
    @Override
    public void opened(Connection connection) {
      visitors.opened(connection);
      callers.opened(connection);
      peers.opened(connection);
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      Caller caller = new Caller(connection, request, audit.of(connection, message));
      Result.Refused refused = callers.refusal(connection, message);
      if (refused != null) {
        caller.fail(refused);
        return;
      }
      boolean seat = callers.isSeat(connection);
      switch (message) {
        case Statuses.GetStatus get -> caller.answer(status());
        case Message any when follows() -> caller.fail(notServing());
        case Maps.Init init when seat -> init(init, caller);
        case Maps.GetMap get -> getMap(get, caller);
        case Maps.SeatReport report when seat -> report(report, caller);
        case Maps.Suspect suspect -> {
          silence.suspected(suspect);
          caller.done();
        }
        case Maps.CreateInstance create when phase == State.SERVING ->
            instances.create(create, caller);
        case Maps.DestroyInstance destroy when phase == State.SERVING ->
            instances.destroy(destroy, false, caller);
        case Maps.DiscardInstance it when phase == State.SERVING ->
            instances.destroy(new Maps.DestroyInstance(it.op(), it.name(), it.who()), true, caller);
        case Maps.TreesDrained report when seat && phase == State.SERVING ->
            instances.drained(report, caller);
        case Maps.ResizeInstance resize when phase == State.SERVING ->
            instances.resize(resize, caller);
        case Maps.TreeResized report when seat && phase == State.SERVING ->
            instances.resized(report, caller);
        case Maps.SetPool set when phase == State.SERVING -> instances.setPool(set, caller);
        case Maps.ProtectInstance protect when phase == State.SERVING ->
            instances.protect(protect, caller);
        case Maps.SetAccess set when phase == State.SERVING -> instances.setAccess(set, caller);
        case Maps.Lease lease when seat && phase == State.SERVING ->
            confirmation.whenKnown(leads -> lease(lease, leads, caller));
        case Maps.MemberComplete complete when seat && phase == State.SERVING ->
            completions.complete(complete, caller);
        case Maps.MemberSlow slow when seat && phase == State.SERVING -> members.slow(slow, caller);
        case Maps.Leave leave when phase == State.SERVING -> joins.leave(leave, caller);
        case Maps.Revive revive when phase == State.SERVING -> revivals.revive(revive, caller);
        case Maps.MemberFailed failed when seat && phase == State.SERVING ->
            failures.failed(failed, caller);
        case Maps.OfManagers asked when decides() -> peers.answer(asked, caller);
        case Enrolment.Request asked when decides() -> certificates.answer(asked, caller);
        case Jobs.Request ofJobs when phase == State.SERVING -> jobs.answer(ofJobs, caller);
        case Maps.OfManagers _, Enrolment.Request _, Jobs.Request _ -> caller.fail(notServing());
        case Maps.CreateInstance _, Maps.DestroyInstance _ -> caller.fail(notServing());
        case Maps.DiscardInstance _, Maps.ResizeInstance _ -> caller.fail(notServing());
        case Maps.ProtectInstance _, Maps.SetPool _, Maps.Leave _ -> caller.fail(notServing());
        case Maps.Revive _, Maps.SetAccess _ -> caller.fail(notServing());
        case Maps.MemberComplete _, Maps.MemberSlow _ when seat -> caller.fail(notServing());
        case Maps.MemberFailed _, Maps.Lease _ when seat -> caller.fail(notServing());
        case Access.GetKeys get -> caller.answer(capabilities.keys());
        case Access.GetCapability get -> capabilities.give(get, caller);
        case Access.GetUser get -> proofs.tell(caller);
        case Access.Prove prove -> proofs.prove(prove, caller);
        default ->
            caller.fail(
                ErrorCode.MALFORMED,
                "the manager takes no %s from a %s"
                    .formatted(message.getClass().getSimpleName(), connection.hello().role()));
      }
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      new Caller(connection, request).fail(ErrorCode.MALFORMED, "a manager takes no payloads");
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      visitors.closed(connection);
      callers.closed(connection);
      proofs.closed(connection);
      gathering.left(connection);
      returns.left(connection);
    }
  }

  /** Whether another manager may lead: this one does not answer from what it knows. */
  private boolean follows() {
    return !leading && !confirmation.isAlone();
  }

  // Seats.

  private void lease(Maps.Lease lease, boolean leads, Caller caller) {
    if (!leads || phase != State.SERVING) caller.fail(notServing());
    else if (leaseDesk.answer(lease, caller)) visitors.push(caller.connection());
  }

  private void init(Maps.Init init, Caller caller) {
    if (door.isForeign(init.cluster())) {
      caller.fail(ErrorCode.WRONG_CLUSTER, door.foreign(init.cluster()));
      return;
    }
    String who = OfferRules.nameOf(init);
    if (phase == State.STOPPED || overtaken(who, init.knownEpoch())) {
      caller.fail(notServing());
      return;
    }
    Result.Refused refused = OfferRules.check(init);
    if (refused == null && phase != State.SERVING) refused = gathering.take(init, caller);
    if (refused != null) {
      String why = "refused " + who + ": " + refused.sentence();
      pace.log("refused", () -> why, events::warned);
      caller.fail(refused);
    } else if (phase == State.GATHERING) {
      formation.formIfComplete();
    } else if (phase == State.SERVING) {
      welcomeBack(init, caller);
    }
  }

  private final class Forming implements RingFormation.Host {
    @Override
    public boolean isGathering() {
      return phase == State.GATHERING;
    }

    @Override
    public boolean isForming() {
      return phase == State.FORMING;
    }

    @Override
    public void forming() {
      phase = State.FORMING;
    }

    @Override
    public void formed() {
      if (phase != State.FORMING) return;
      phase = State.SERVING;
      events.told("the ring is formed: " + state.map().seats().size() + " seats");
      readmit();
    }

    @Override
    public void gatherAgain() {
      phase = State.GATHERING;
    }
  }

  private void welcomeBack(Maps.Init init, Caller caller) {
    SeatEntry now = state.returned(Gathering.arrival(init));
    if (now == null) {
      joins.join(init, caller);
      return;
    }
    sightings.seen(now.id(), init.knownEpoch());
    if (now.equals(state.map().seat(now.id()))) {
      visitors.send(caller, 0);
    } else {
      returns.add(new Gathering.Guest(init, caller));
    }
  }

  private void report(Maps.SeatReport report, Caller caller) {
    boolean believed = isOfCluster(caller);
    if (believed) overtaken(report.seat().toString(), report.ringEpoch());
    if (phase == State.STOPPED) {
      caller.fail(ErrorCode.UNAVAILABLE, stoppedBecause);
      return;
    }
    RingMap map = visitors.map();
    SeatEntry seat = map == null ? null : map.seat(report.seat());
    if (seat == null) {
      caller.fail(ErrorCode.NOT_FOUND, report.seat() + " is not in the map");
    } else if (seat.incarnation() != report.incarnation()) {
      caller.fail(ErrorCode.STALE_EPOCH, report.seat() + " has another incarnation in the map");
    } else {
      sightings.seen(report.seat(), report.ringEpoch());
      silence.heard(seat);
      caller.done();
      if (report.ringEpoch() < visitors.epoch()) visitors.push(caller.connection());
    }
  }

  /** Stops deciding if a seat has a map that is not in this log; returns whether it did. */
  private boolean overtaken(String who, long shownEpoch) {
    if (phase == State.STARTING || state.issued(shownEpoch)) return false;
    unknown.shown(who + " has the map of epoch " + shownEpoch, () -> state.issued(shownEpoch));
    return true;
  }

  private void overtaken(Maps.Lease lease, Caller caller) {
    if (!isOfCluster(caller)) {
      caller.fail(ErrorCode.STALE_EPOCH, "this manager has made no such epoch");
      return;
    }
    unknown.shown(
        lease.home() + " has " + lease.group() + " in epoch " + lease.epoch(),
        () -> LeaseDesk.hasMade(state.map(), lease));
    caller.fail(notServing());
  }

  private final class Doubt implements UnknownEpochs.Host {
    @Override
    public void pause(String reason) {
      Manager.this.pause(reason);
    }

    @Override
    public boolean isPaused() {
      return leading && phase == State.STARTING;
    }

    @Override
    public void resume() {
      beginTerm();
    }

    @Override
    public void stop(String shown) {
      Manager.this.stop(shown);
    }
  }

  /**
   * Whether it named its cluster. Only a seat that has followed a map knows the cluster, and only
   * such a seat can show that this manager has lost some state: a stranger cannot stop it.
   */
  private boolean isOfCluster(Caller caller) {
    return caller.connection().hello().cluster() == state.cluster();
  }

  private void stop(String shown) {
    phase = State.STOPPED;
    peers.changed();
    stoppedBecause =
        "the manager has stopped: "
            + shown
            + ", which this manager's log, at epoch "
            + state.epoch()
            + ", does not know; part of the log was lost: end this process and run 'forebay manager recover'";
    events.warned(stoppedBecause);
    for (Gathering.Guest guest : gathering.dismiss()) {
      guest.caller().fail(ErrorCode.UNAVAILABLE, stoppedBecause);
    }
  }

  private void getMap(Maps.GetMap get, Caller caller) {
    boolean believed = callers.isSeat(caller.connection()) && isOfCluster(caller);
    if (believed && phase != State.STOPPED) overtaken("a seat", get.haveEpoch());
    if (phase == State.STOPPED || visitors.map() == null) caller.fail(notServing());
    else visitors.send(caller, get.haveEpoch());
  }

  private Result.Refused notServing() {
    return new Result.Refused(
        ErrorCode.UNAVAILABLE,
        switch (phase) {
          case STARTING -> pausedBecause;
          case GATHERING ->
              "the ring is not formed yet: %d of %d expected servers have come"
                  .formatted(gathering.completeServers(), config.expectedServers());
          case FORMING -> "the ring is being formed";
          case SERVING -> "the manager is serving";
          case STOPPED -> stoppedBecause;
        });
  }

  public Statuses.ManagerStatus status() {
    List<SeatEntry> seats = state.formed() ? state.map().seats() : List.of();
    int arrived = gathering.completeServers();
    if (state.formed()) arrived = (int) seats.stream().map(SeatEntry::server).distinct().count();
    return new Statuses.ManagerStatus(
        phase == State.SERVING ? "serving" : notServing().sentence(),
        peers.seen(),
        visitors.epoch(),
        state.term(),
        config.expectedServers(),
        arrived,
        sightings.of(seats),
        environment.network().limits().with(environment.events().lostLines()).now(),
        trust.isOpen(),
        joins.refused());
  }
}
