// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Allocation;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.seat.manager.pool.Dealing;
import io.forebay.seat.manager.pool.PoolBook;
import io.forebay.seat.manager.pool.Redealing;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Maps.SeatOffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All decisions of the manager: a state machine fed by {@link Command}s. The same commands always
 * give the same state; it uses no clock and no randomness. Every change raises the ring epoch, and
 * a change of a group's members the group's own.
 */
public final class ManagerState {
  /** Seats are numbered from here, so that 0 means none. */
  static final int FIRST_SEAT = 1;

  private static final int FIRST_INSTANCE = 1;

  private final Terms terms = new Terms();
  private final List<SeatEntry> seats = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private final List<Instance> instances = new ArrayList<>();
  private final PoolBook pools = new PoolBook();
  private final Memberships memberships =
      new Memberships(seats, groups, instances, this::map, this::raise);
  private final RecentAnswers answers = new RecentAnswers();
  private final JobBook jobs = new JobBook(this::map, new JobInstances());
  private final AccessBook access = new AccessBook();
  private final CertificateBook certificates = new CertificateBook();
  private long cluster;
  private int nextInstance = FIRST_INSTANCE;
  private EndedInstances ended = EndedInstances.NONE;
  private @Nullable RingMap map;

  /** The cluster's id, or 0 before the first term. */
  public long cluster() {
    return cluster;
  }

  public long term() {
    return terms.term();
  }

  public long epoch() {
    return terms.epoch();
  }

  public boolean formed() {
    return !seats.isEmpty();
  }

  /** Whether a map of that epoch may have come from this state, now or in the past. */
  public boolean issued(long shownEpoch) {
    return terms.issued(shownEpoch);
  }

  /** The map of the present epoch. */
  public RingMap map() {
    RingMap present = map;
    if (present == null) {
      present =
          new RingMap(cluster, term(), epoch(), seats, groups, instances, ended, pools.all(seats));
      map = present;
    }
    return present;
  }

  /** The seat of that log, or null. */
  public @Nullable SeatEntry seatOf(SeatOffer offer) {
    return memberships.seatOf(offer);
  }

  /** The entry a seat gets that is back, or null if its log is unknown. */
  public @Nullable SeatEntry returned(Command.Arrival arrival) {
    SeatEntry known = seatOf(arrival.seat());
    return known == null ? null : Memberships.returned(known, arrival);
  }

  /**
   * The groups whose epoch a returned seat raises: its process is new, so that messages of the
   * earlier process must not be taken for its own; and it may lack its data.
   */
  public List<GroupId> disturbedBy(Command.Arrival arrival) {
    SeatEntry known = seatOf(arrival.seat());
    if (known == null) return List.of();
    boolean same =
        known.start() == arrival.seat().start()
            && known.incarnation() == arrival.seat().incarnation();
    if (same) return List.of();
    List<GroupId> disturbed = new ArrayList<>();
    for (Group group : groups) {
      if (group.indexOf(known.id()) >= 0) disturbed.add(group.id());
    }
    return disturbed;
  }

  public Result apply(Command command) {
    return switch (command) {
      case Command.BeginTerm begin -> beginTerm(begin);
      case Command.FormRing form -> formRing(form);
      case Command.AddGroups add -> addGroups(add.copies());
      case Command.CreateInstance create -> createInstance(create);
      case Command.DestroyInstance destroy -> destroyInstance(destroy);
      case Command.EndInstance end -> endInstance(end);
      case Command.ExpireInstance expire -> expireInstance(expire.instance());
      case Command.ProtectInstance protect -> protect(protect);
      case Command.SetAccess set -> setAccess(set);
      case Command.InstanceDrained drained -> drained(drained.instance());
      case Command.ResizeInstance resize -> resizeInstance(resize);
      case Command.SettleResize settle -> settleResize(settle);
      case Command.SetPool set -> setPool(set);
      case Command.OfMembers change -> changeMembers(change);
      case Command.OfJobs change -> jobs.apply(change);
      case Command.AddAccessKey add -> access.apply(add);
      case Command.OfCertificates change -> certificates.apply(change);
    };
  }

  /**
   * Granules follow the seats within the same command, so that no map promises what is not there.
   */
  private Result changeMembers(Command.OfMembers change) {
    List<SeatEntry> before = List.copyOf(seats);
    Result result = memberships.apply(change);
    if (before.equals(seats)) return result;
    for (int copies : copiesInUse()) addGroups(copies);
    redeal();
    return result;
  }

  private void redeal() {
    List<Instance> dealt = Redealing.of(pools, seats, instances);
    instances.clear();
    instances.addAll(dealt);
    map = null;
  }

  private Result beginTerm(Command.BeginTerm begin) {
    if (begin.term() != term() + 1) return Result.Done.QUIETLY;
    if (cluster == 0) cluster = begin.cluster();
    pools.begin(begin.granuleBytes());
    terms.begin();
    map = null;
    return Result.Done.QUIETLY;
  }

  private Result formRing(Command.FormRing form) {
    if (formed()) return new Result.Refused(ErrorCode.EXISTS, "the ring is formed already");
    for (Command.Arrival arrival : form.seats()) {
      seats.add(Memberships.entry(new SeatId(FIRST_SEAT + seats.size()), arrival));
    }
    raise();
    return addGroups(form.copies());
  }

  /** Why a change of members cannot be made, or null. */
  public Result.@Nullable Refused check(Command.OfMembers change) {
    return memberships.check(change);
  }

  private Result addGroups(int copies) {
    boolean possible =
        copies >= 1 && copies <= Math.min(InstanceRules.here(seats).size(), GroupId.COPIES_MAX);
    if (!possible) {
      if (hasGroups(copies)) return Result.Done.QUIETLY;
      return new Result.Refused(ErrorCode.INVALID, InstanceRules.copiesSentence(copies, seats));
    }
    RingArrangement.Groups made = RingArrangement.groupsFor(seats, copies);
    // A pool whose seats were all gone when the others' groups were made has none yet.
    List<Group> missing =
        made.groups().stream()
            .filter(each -> map().group(each.id()) == null)
            .map(each -> Terms.begun(each, groups))
            .toList();
    if (missing.isEmpty()) return Result.Done.QUIETLY;
    groups.addAll(missing);
    raise();
    return new Result.Done(made.warnings());
  }

  boolean hasGroups(int copies) {
    return copiesInUse().contains(copies);
  }

  private List<Integer> copiesInUse() {
    return groups.stream().map(group -> group.id().copies()).distinct().toList();
  }

  /** Why an instance cannot be made, or null. */
  public Result.@Nullable Refused check(Command.CreateInstance create) {
    Result.Refused refused = InstanceRules.check(create, map());
    if (refused != null) return refused;
    return AllocationRules.deal(create, map()) instanceof AllocationRules.Dealt.Not not
        ? not.why()
        : null;
  }

  /** The result of a change of instances that was done before, or null. */
  public @Nullable Result answered(long op) {
    return answers.of(op);
  }

  private Result createInstance(Command.CreateInstance create) {
    Result before = answers.of(create.op());
    if (before != null) return before;
    Result.Refused refused = check(create);
    if (refused != null) return refused;
    Result.Made made = make(create);
    answers.made(create.op(), made.instance());
    return made;
  }

  private Result.Made make(Command.CreateInstance create) {
    Allocation allocation =
        AllocationRules.deal(create, map()) instanceof AllocationRules.Dealt.Granted granted
            ? granted.allocation()
            : Allocation.NONE;
    // From now on the unit of the pool stays, whatever the default becomes.
    if (allocation.isPromise()) pools.set(pools.pool(allocation.pool()));
    List<SeatId> placed = Redealing.seatsFor(allocation, create.copies(), seats);
    List<String> warnings =
        addGroups(create.copies()) instanceof Result.Done done ? done.warnings() : List.of();
    int id = nextInstance++;
    instances.add(
        new Instance(
            id,
            create.name(),
            create.owner(),
            create.group(),
            create.lifetime(),
            create.access(),
            allocation.isPromise()
                ? allocation.granules() * allocation.granuleBytes()
                : create.capacityBytes(),
            create.copies(),
            create.forced(),
            create.whenDegraded(),
            create.placement(),
            placed,
            InstanceRules.rootGroup(map(), create.copies(), placed),
            create.drain(),
            create.protection(),
            create.tenancy(),
            allocation));
    raise();
    return new Result.Made(id, warnings);
  }

  /** The jobs. */
  public JobBook jobs() {
    return jobs;
  }

  /** The keys of capabilities. */
  public AccessBook access() {
    return access;
  }

  /** The tokens and certificates of the cluster's own CA. */
  public CertificateBook certificates() {
    return certificates;
  }

  /** What the book of jobs changes here. */
  private final class JobInstances implements JobBook.Instances {
    @Override
    public Result.@Nullable Refused check(Command.CreateInstance create) {
      return ManagerState.this.check(create);
    }

    @Override
    public Result.Made make(Command.CreateInstance create) {
      return ManagerState.this.make(create);
    }

    @Override
    public void end(int instance) {
      beginEnd(instance);
    }

    @Override
    public void discard(int instance) {
      bury(instance);
    }
  }

  /** Why an instance cannot end by that user's request, or null. */
  public Result.@Nullable Refused checkEnd(int number, int user) {
    Result.Refused refused = checkChange(number, user);
    return refused != null ? refused : jobs.checkUnused(map().instance(number));
  }

  /** Why an instance cannot be discarded by that user, or null; root discards also what is used. */
  public Result.@Nullable Refused checkDiscard(int number, int user) {
    return user == Identity.ROOT ? checkChange(number, user) : checkEnd(number, user);
  }

  /** Why an instance cannot be changed by that user, or null. */
  private Result.@Nullable Refused checkChange(int number, int user) {
    Instance instance = map().instance(number);
    if (instance == null) {
      return new Result.Refused(
          ErrorCode.NOT_FOUND, "there is no instance " + number + " any more");
    }
    if (user != Identity.ROOT && user != instance.owner()) {
      return new Result.Refused(
          ErrorCode.NOT_PERMITTED,
          "instance '"
              + instance.name()
              + "' belongs to user "
              + instance.owner()
              + "; only that user and root may change or destroy it");
    }
    return null;
  }

  /** Why an instance cannot get another capacity, or null. */
  public Result.@Nullable Refused check(Command.ResizeInstance resize) {
    Instance instance = map().instance(resize.instance());
    if (instance == null) {
      return new Result.Refused(
          ErrorCode.NOT_FOUND, "there is no instance " + resize.instance() + " any more");
    }
    if (resize.user() != Identity.ROOT && resize.user() != instance.owner()) {
      return new Result.Refused(
          ErrorCode.NOT_PERMITTED,
          "instance '%s' belongs to user %d; only that user and root may resize it"
              .formatted(instance.name(), instance.owner()));
    }
    return AllocationRules.resize(resize, instance, map()) instanceof AllocationRules.Dealt.Not not
        ? not.why()
        : null;
  }

  private Result resizeInstance(Command.ResizeInstance resize) {
    Result before = answers.of(resize.op());
    if (before != null) return before;
    Result.Refused refused = check(resize);
    if (refused != null) return refused;
    instances.replaceAll(
        instance -> {
          boolean meant = instance.id() == resize.instance();
          if (!meant
              || !(AllocationRules.resize(resize, instance, map())
                  instanceof AllocationRules.Dealt.Granted granted)) return instance;
          Allocation allocation = granted.allocation();
          long wanted = allocation.granulesFor(resize.capacityBytes());
          return instance
              .withCapacity(wanted * allocation.granuleBytes())
              .withAllocation(allocation, Redealing.seatsFor(allocation, instance.copies(), seats));
        });
    answers.made(resize.op(), resize.instance());
    raise();
    return new Result.Made(resize.instance(), List.of());
  }

  private Result settleResize(Command.SettleResize settle) {
    Instance instance = map().instance(settle.instance());
    boolean waits =
        instance != null
            && instance.capacityBytes() == settle.capacityBytes()
            && instance.allocation().granules() > instance.granulesWanted();
    if (!waits || instance == null) return Result.Done.QUIETLY;
    Allocation allocation = instance.allocation();
    Instance settled =
        settle.fits()
            ? instance.withAllocation(
                Dealing.trimmed(allocation, instance.granulesWanted()), instance.seats())
            : instance.withCapacity(allocation.granules() * allocation.granuleBytes());
    instances.replaceAll(each -> each.id() == settled.id() ? settled : each);
    raise();
    redeal();
    return Result.Done.QUIETLY;
  }

  /** What users of a new instance may write if the request does not say. */
  public String defaultProtection(Maps.CreateInstance request) {
    return formed() ? AllocationRules.protection(request, map()) : "";
  }

  /** Why a pool cannot have these settings, or null. */
  public Result.@Nullable Refused check(Command.SetPool set) {
    return AllocationRules.check(set, map());
  }

  private Result setPool(Command.SetPool set) {
    Result.Refused refused = check(set);
    if (refused != null) return refused;
    pools.set(set.pool());
    raise();
    return Result.Done.QUIETLY;
  }

  private Result destroyInstance(Command.DestroyInstance destroy) {
    Result before = answers.of(destroy.op());
    if (before != null) return before;
    Result.Refused refused = checkDiscard(destroy.instance(), destroy.user());
    if (refused != null) return refused;
    bury(destroy.instance());
    answers.done(destroy.op());
    return Result.Done.QUIETLY;
  }

  private void bury(int number) {
    boolean lived = instances.removeIf(instance -> instance.id() == number);
    if (lived) ended = withEnded(ended, number);
    jobs.instanceGone(number);
    raise();
    redeal();
  }

  /** The map says of each instance that has ended that it has (P37). */
  @Rule("P37")
  private static EndedInstances withEnded(EndedInstances ended, int number) {
    return ended.with(number);
  }

  private Result endInstance(Command.EndInstance end) {
    Result before = answers.of(end.op());
    if (before != null) return before;
    Result.Refused refused = checkEnd(end.instance(), end.user());
    if (refused != null) return refused;
    answers.done(end.op());
    return expireInstance(end.instance());
  }

  private Result expireInstance(int number) {
    beginEnd(number);
    jobs.instanceEnds(number);
    return Result.Done.QUIETLY;
  }

  private void beginEnd(int number) {
    Instance known = map().instance(number);
    if (known == null || known.drain().ending()) return;
    instances.replaceAll(instance -> instance.id() == number ? instance.asEnding() : instance);
    raise();
  }

  /** Why an instance cannot be protected so by that user, or null. */
  public Result.@Nullable Refused checkProtect(int number, int user, String protection) {
    Instance instance = map().instance(number);
    Result.Refused refused = checkChange(number, user);
    if (refused != null || instance == null) return refused;
    return InstanceRules.checkProtection(protection, instance.capacityBytes());
  }

  private Result protect(Command.ProtectInstance protect) {
    Result before = answers.of(protect.op());
    if (before != null) return before;
    Result.Refused refused = checkProtect(protect.instance(), protect.user(), protect.protection());
    if (refused != null) return refused;
    instances.replaceAll(
        instance ->
            instance.id() == protect.instance()
                ? instance.withProtection(protect.protection())
                : instance);
    answers.done(protect.op());
    raise();
    return Result.Done.QUIETLY;
  }

  /** Why an instance cannot get these users, or null. */
  public Result.@Nullable Refused check(Command.SetAccess set) {
    Instance instance = map().instance(set.instance());
    Result.Refused refused = checkChange(set.instance(), set.user());
    if (refused != null || instance == null) return refused;
    boolean changes = !set.permit().isEmpty() || !set.root().isEmpty();
    if (changes && instance.lifetime() == Instance.Lifetime.JOB) {
      return new Result.Refused(
          ErrorCode.INVALID,
          "instance '%s' is for its job alone; what can be changed is a persistent instance"
              .formatted(instance.name()));
    }
    return InstanceRules.tenancyOf(instance.tenancy(), set.permit(), set.root()) == null
        ? new Result.Refused(ErrorCode.INVALID, InstanceRules.noTenancy(set.permit(), set.root()))
        : null;
  }

  private Result setAccess(Command.SetAccess set) {
    Result before = answers.of(set.op());
    if (before != null) return before;
    Result.Refused refused = check(set);
    if (refused != null) return refused;
    instances.replaceAll(
        instance -> instance.id() == set.instance() ? InstanceRules.with(instance, set) : instance);
    Instance changed = map().instance(set.instance());
    if (changed != null) jobs.revoked(changed);
    answers.done(set.op());
    raise();
    return Result.Done.QUIETLY;
  }

  private Result drained(int number) {
    Instance ending = map().instance(number);
    boolean goes = ending != null && ending.drain().ending();
    if (!goes) return Result.Done.QUIETLY;
    bury(number);
    return Result.Done.QUIETLY;
  }

  public Bytes snapshot() {
    return written().encode();
  }

  /** All of it, as it is written down. */
  StateSnapshot written() {
    return new StateSnapshot(
        StateSnapshot.VERSION,
        cluster,
        term(),
        epoch(),
        terms.ends(),
        seats,
        groups,
        instances,
        ended,
        nextInstance,
        answers.all(),
        jobs.all(),
        jobs.reached(),
        pools.granuleBytes(),
        pools.set(),
        access.keys(),
        certificates.content());
  }

  public void restore(Bytes bytes) throws MalformedFields {
    StateSnapshot snapshot = StateSnapshot.decode(bytes);
    cluster = snapshot.cluster();
    terms.restore(snapshot.term(), snapshot.epoch(), snapshot.ends());
    seats.clear();
    seats.addAll(snapshot.seats());
    groups.clear();
    groups.addAll(snapshot.groups());
    instances.clear();
    instances.addAll(snapshot.instances());
    ended = snapshot.ended();
    nextInstance = snapshot.nextInstance();
    answers.restore(snapshot.answers());
    jobs.restore(snapshot.jobs(), snapshot.reach());
    pools.restore(snapshot.granuleBytes(), snapshot.pools());
    access.restore(snapshot.keys());
    certificates.restore(snapshot.certificates());
    map = null;
    try {
      map();
    } catch (IllegalArgumentException e) {
      throw new MalformedFields("a state that cannot be: " + e.getMessage(), e);
    }
  }

  private void raise() {
    terms.raise();
    map = null;
  }
}
