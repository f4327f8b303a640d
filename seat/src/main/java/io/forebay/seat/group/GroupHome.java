// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupCommands;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.drain.HomeDrain;
import io.forebay.seat.drain.through.DrainHome;
import io.forebay.seat.journal.GroupJournal;
import io.forebay.seat.journal.HomeJournal;
import io.forebay.seat.journal.JournalEntry;
import io.forebay.seat.lease.LeaseKeeper;
import io.forebay.seat.names.HomeNames;
import io.forebay.seat.names.TreeResize;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.SeatLatencies;
import io.forebay.seat.peer.Links;
import io.forebay.seat.put.HomePuts;
import io.forebay.seat.reclaim.HomeReclaim;
import io.forebay.seat.repair.HomeRepair;
import io.forebay.seat.repair.RepairedHome;
import io.forebay.seat.use.HomeUse;
import io.forebay.seat.use.InstanceVerdicts;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Uses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * This seat as the home of a group, in one epoch: starting, then serving. Holds the group's state
 * and puts every change of it through the journal.
 */
public final class GroupHome implements HomeJournal.Listener, RepairedHome, DrainHome {
  /** A home only moves forward. */
  private enum State {
    /** The members are asked for their journals, of which the group's state is built. */
    STARTING,
    /** The members are brought to this home's journal. */
    AGREEING,
    /** All members have this home's journal: writes and changes are taken. */
    SERVING,
    /** The epoch is over. */
    STOPPED
  }

  /** A snapshot must contain all that stands before it in the journal, so changes wait for it. */
  private enum Snapshot {
    NONE,
    /** A snapshot is made when all journalled changes have been applied. */
    DUE,
    /** It is on its way into the journal. */
    PROPOSED
  }

  private record Wanted(
      GroupCommand command, Bytes written, boolean forced, Change change, long startNanos) {}

  private static final int PART_BYTES_MAX = 1024 * 1024;

  /** The longest command: an entry must fit a message to the members with room to spare. */
  private static final int COMMAND_BYTES_MAX = WireLimits.BODY_BYTES_MAX / 2;

  /** Changes that wait for a snapshot to be made; more are refused. */
  private static final int WANTED_MAX = 16 * 1024;

  private final GroupParts parts;
  private final Basics basics;
  private final Group group;
  private final GroupJournal journal;
  private final HomePuts puts;
  private final HomeUse use;
  private final InstanceVerdicts verdicts;
  private final LeaseKeeper lease;
  private final HomeNames names;
  private final HomeReclaim reclaim;
  private final HomeRepair repair;
  private final HomeDrain drain;
  private final SlowMembers slow;
  private final TreeResize resize;
  private final HomeStart start;
  private final ArrayDeque<Wanted> wanted = new ArrayDeque<>();
  // Looked up by index only.
  private final Map<Long, Wanted> proposed = new HashMap<>();
  private long changesTaken;
  private @Nullable HomeJournal replicated;
  private @Nullable GroupState state;
  private State lifecycle = State.STARTING;
  private boolean anyForced;
  private long applied;
  private long grownBytes;
  private long snapshotBytes;
  private long snapshotIndex;
  private Snapshot snapshot = Snapshot.NONE;
  private boolean snapshotWanted;

  GroupHome(GroupParts parts, Group group, GroupJournal journal) {
    this.parts = parts;
    this.basics = parts.basics();
    this.group = group;
    this.journal = journal;
    Links links = parts.links();
    this.repair = new HomeRepair(parts.repair(), this);
    this.reclaim = new HomeReclaim(basics, links.questions(), parts.kills(), this, repair::killed);
    this.drain = new HomeDrain(parts.drain(), this);
    this.slow = new SlowMembers(basics, links.manager(), this);
    this.use = new HomeUse(parts.use(), this);
    this.verdicts = new InstanceVerdicts(parts.use());
    this.puts = new HomePuts(parts.puts(), group, reclaim, repair, use);
    this.lease = new LeaseKeeper(basics, links.questions(), links.manager(), group);
    this.names = new HomeNames(parts.names(), this, drain, reclaim, use);
    this.resize = new TreeResize(basics, links.manager(), this);
    this.start = new HomeStart(basics, links.questions(), group, journal, this::built);
  }

  void start() {
    start.start();
  }

  /** Takes over the pending writes of an earlier epoch. */
  void adopt(GroupHome earlier) {
    puts.adopt(earlier.puts);
    verdicts.adopt(earlier.verdicts);
    names.adopt(earlier.names);
    reclaim.adopt(earlier.reclaim);
    earlier.stop();
    // Last: counts that did not come into the journal are back by now.
    use.adopt(earlier.use);
  }

  /** The epoch is over: pending callers get "outcome unknown", or that their change is dropped. */
  void stop() {
    moveTo(State.STOPPED);
    start.stop();
    puts.stop();
    drain.stop();
    List<Wanted> dropped = new ArrayList<>(wanted);
    List<Wanted> unknown = new ArrayList<>();
    // Entries behind the last one waited for room in the log.
    for (Map.Entry<Long, Wanted> each : new TreeMap<>(proposed).entrySet()) {
      (each.getKey() > journal.last() ? dropped : unknown).add(each.getValue());
    }
    wanted.clear();
    proposed.clear();
    for (Wanted each : unknown) each.change.applied(null);
    for (Wanted each : dropped) each.change.dropped();
  }

  private void moveTo(State next) {
    if (next.compareTo(lifecycle) <= 0) {
      throw new IllegalStateException(group.id() + " goes from " + lifecycle + " to " + next);
    }
    lifecycle = next;
  }

  private void built(HomeStart.Built built) {
    if (stopped()) return;
    state = built.state();
    anyForced = built.anyForced();
    grownBytes = built.grownBytes();
    snapshotBytes = built.snapshotBytes();
    snapshotIndex = built.snapshotIndex();
    HomeJournal journalNow = new HomeJournal(basics, parts.links().peers(), group, journal, this);
    replicated = journalNow;
    applied = journalNow.last();
    moveTo(State.AGREEING);
    if (built.restored()) proposeRestored(journalNow);
    // An entry of this epoch: once all have it, all have everything before it too.
    journalNow.propose(JournalEntry.of(JournalEntry.Kind.NOTHING, anyForced));
  }

  /**
   * Before anything else: clients that relied on unforced data must not continue as if it existed.
   */
  private void proposeRestored(HomeJournal to) {
    List<Integer> lacking = new ArrayList<>();
    RingMap map = basics.maps().map();
    for (Instance instance : map == null ? List.<Instance>of() : map.instances()) {
      if (group.mayLack(instance)) lacking.add(instance.id());
    }
    GroupCommand command = new GroupCommand.Restored(lacking);
    Bytes written = GroupCommands.write(command);
    anyForced = true;
    long now = basics.timers().nanos();
    proposed.put(to.last() + 1, new Wanted(command, written, true, applied -> {}, now));
    changesTaken++;
    to.propose(new JournalEntry(JournalEntry.Kind.COMMAND, true, written));
  }

  @Override
  public Group group() {
    return group;
  }

  @Override
  public HomePuts puts() {
    return puts;
  }

  @Override
  public HomeNames names() {
    return names;
  }

  public HomeReclaim reclaim() {
    return reclaim;
  }

  public InstanceVerdicts verdicts() {
    return verdicts;
  }

  /** What the group has taken of instances; 0 for all of them. It is known while this serves. */
  public List<Uses.GroupUse> uses(int instance) {
    return use.uses(instance, verdicts);
  }

  public HomeRepair repair() {
    return repair;
  }

  public HomeDrain drain() {
    return drain;
  }

  /** Whether a member owes an answer about the journal. */
  boolean waitsFor(SeatId member) {
    return started() ? replicated().waitsFor(member) : start.waitsFor(member);
  }

  public SlowMembers slow() {
    return slow;
  }

  @Override
  public boolean stopped() {
    return lifecycle == State.STOPPED;
  }

  /** Asks for a snapshot as soon as one can be made. */
  @Override
  public void wantSnapshot() {
    snapshotWanted = true;
  }

  @Override
  public boolean begun(SeatId member) {
    return replicated().begun(member);
  }

  @Override
  public long lacking(SeatId member) {
    return replicated().lacking(member);
  }

  @Override
  public void count(SeatId member, boolean counts) {
    replicated().count(member, counts);
    lease.alsoAsk(member, counts);
    puts.count(group.indexOf(member), counts);
  }

  @Override
  public void drop(List<Data.Dead> dead) {
    reclaim.drop(dead, everywhere -> {});
  }

  public HomeJournal replicated() {
    if (replicated == null) throw new IllegalStateException(group.id() + " has not started");
    return replicated;
  }

  /** Whether the group's state is known. */
  public boolean started() {
    return lifecycle == State.AGREEING || lifecycle == State.SERVING;
  }

  /** Writes and changes are taken when all members agree on the journal (P10). */
  @Rule("P10")
  @Override
  public boolean serving() {
    return lifecycle == State.SERVING;
  }

  /** Whether names may be read: all leases hold. */
  @Override
  public boolean leased() {
    return serving() && mayAnswer();
  }

  /** A home answers questions about names only while all its leases hold (P13). */
  @Rule("P13")
  private boolean mayAnswer() {
    return lease.held();
  }

  @Override
  public GroupState state() {
    if (state == null) throw new IllegalStateException(group.id() + " has not started");
    return state;
  }

  @Override
  public String stage() {
    if (!serving()) return start.stage();
    return lease.held() ? "serving" : "serving, without leases";
  }

  @Override
  public long leaseNanos() {
    return lease.leftNanos();
  }

  int sessions() {
    return started() ? state().sessions().size() : 0;
  }

  int putsUnderWay() {
    return puts.underWay();
  }

  /** Whether another change can be taken now. */
  @Override
  public boolean takesMore() {
    return serving() && wanted.size() < WANTED_MAX && replicated().takesMore();
  }

  @Override
  public long changesTaken() {
    return changesTaken;
  }

  @Override
  public long changesApplied() {
    return changesTaken - wanted.size() - proposed.size();
  }

  /** Journals a change; false if it is too long. */
  @Override
  public boolean propose(GroupCommand command, boolean forced, Change change) {
    Bytes written = GroupCommands.write(command);
    int bytesMax = Math.min(COMMAND_BYTES_MAX, journal.entryBytesMax() - JournalEntry.HEAD_BYTES);
    if (written.length() > bytesMax) return false;
    wanted.add(new Wanted(command, written, forced, change, basics.timers().nanos()));
    changesTaken++;
    proposeWanted();
    return true;
  }

  private void proposeWanted() {
    while (serving() && snapshot == Snapshot.NONE) {
      HomeJournal to = replicated();
      Wanted next = wanted.poll();
      if (next == null) return;
      anyForced |= next.forced;
      JournalEntry entry = new JournalEntry(JournalEntry.Kind.COMMAND, next.forced, next.written);
      grownBytes += entry.content().length();
      // Entries are appended in the order of proposals, including those that wait for room.
      proposed.put(to.last() + to.waiting() + 1, next);
      to.propose(entry);
    }
  }

  @Override
  public void committed(long index, JournalEntry entry) {
    if (stopped()) return;
    applied = index;
    switch (entry.kind()) {
      case NOTHING -> {
        if (!serving()) moveTo(State.SERVING);
        basics
            .events()
            .told(
                group.id() + " is served by " + basics.self().id() + " in epoch " + group.epoch());
        names.served();
        // The home before may have died between its snapshot and this.
        if (snapshotIndex > journal.first()) replicated().trim(snapshotIndex);
        proposeWanted();
      }
      case COMMAND -> applyCommand(index);
      case SNAPSHOT_BEGIN, SNAPSHOT_PART -> {}
      case SNAPSHOT_END -> {
        snapshot = Snapshot.NONE;
        replicated().trim(snapshotIndex);
        replicated().beginAnew(snapshotIndex);
        proposeWanted();
      }
    }
  }

  private void applyCommand(long index) {
    Wanted done = proposed.remove(index);
    if (done == null) throw new IllegalStateException("nobody proposed entry " + index);
    GroupState.Applied result = state().apply(index, done.command);
    reclaim.dead(result.dead());
    names.orphaned(result.orphaned());
    names.ended(result.ended());
    measure(done);
    done.change.applied(result);
  }

  private void measure(Wanted done) {
    if (!(done.command instanceof GroupCommand.ClientChange of)) return;
    boolean publishes = of.change() instanceof Names.Publish;
    basics
        .counters()
        .latencies()
        .add(
            publishes ? SeatLatencies.Operation.PUBLISH : SeatLatencies.Operation.CHANGE,
            basics.timers().nanos() - done.startNanos);
  }

  private void maybeSnapshot() {
    if (!serving()) return;
    HomeJournal to = replicated();
    // Not before the journal has grown by the size of the last one too, so that they stay rare.
    long enough = Math.max(parts.snapshotBytes(), 2 * snapshotBytes);
    boolean due = grownBytes > enough || snapshotWanted;
    if (snapshot == Snapshot.NONE && due) snapshot = Snapshot.DUE;
    if (snapshot != Snapshot.DUE || applied < to.last() + to.waiting()) return;
    snapshot = Snapshot.PROPOSED;
    snapshotWanted = false;
    grownBytes = 0;
    snapshotBytes = 0;
    snapshotIndex = to.last() + 1;
    to.propose(JournalEntry.of(JournalEntry.Kind.SNAPSHOT_BEGIN, anyForced));
    for (Bytes part : snapshotParts()) {
      snapshotBytes += part.length();
      to.propose(new JournalEntry(JournalEntry.Kind.SNAPSHOT_PART, anyForced, part));
    }
    to.propose(JournalEntry.of(JournalEntry.Kind.SNAPSHOT_END, anyForced));
  }

  /** A snapshot is the whole state: the journal before it is trimmed (P10). */
  @Rule("P10")
  private List<Bytes> snapshotParts() {
    int partBytes = Math.min(PART_BYTES_MAX, journal.entryBytesMax() - JournalEntry.HEAD_BYTES);
    List<Bytes> made = new ArrayList<>();
    state().snapshot(partBytes, made::add);
    return made;
  }

  void peerUp(SeatId peer, Lane lane) {
    start.peerUp(peer, lane);
    if (lane == Lane.INGEST) puts.peerUp(peer);
    else if (started()) replicated().peerUp(peer);
  }

  /** After each round of the loop: what cannot wait. */
  void poll() {
    start.poll();
    if (started()) replicated().appendWaiting();
    maybeSnapshot();
    repair.poll();
  }

  /** Now and then. */
  void tick() {
    lease.poll();
    if (started()) replicated().poll();
    puts.redrive();
    names.poll();
    reclaim.poll();
    repair.tick();
    drain.tick();
    slow.tick();
    use.tick();
    resize.tick();
  }
}
