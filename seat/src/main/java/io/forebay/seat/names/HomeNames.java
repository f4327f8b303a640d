// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.base.FileId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.namespace.RequestBounds;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.access.TreeNames;
import io.forebay.seat.audit.NameAudit;
import io.forebay.seat.audit.RefusalAudit;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ReadGuard;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.Self;
import io.forebay.seat.part.WallClock;
import io.forebay.seat.put.HomePuts;
import io.forebay.seat.reclaim.HomeReclaim;
import io.forebay.seat.right.HomeKeys;
import io.forebay.seat.use.HomeUse;
import io.forebay.seat.use.TreeProtection;
import io.forebay.wire.Connection;
import io.forebay.wire.LogPace;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The home's answers about names and files, its sessions, and its open files. */
public final class HomeNames {
  private static final long EXPIRY_CHECK_NANOS = 1_000_000_000L;

  /**
   * A home that has not checked for this long did not run, and cannot have heard from any client.
   */
  private static final long AWAY_NANOS = 3 * EXPIRY_CHECK_NANOS;

  /** The longest that files without a name are kept for clients to say that they have them open. */
  private static final long GRACE_NANOS_MAX = 300_000_000_000L;

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final WallClock wallClock;
  private final SeatEvents events;
  private NameAudit audit;
  private final RefusalAudit refusalAudit;
  private final SeatCounters counters;
  private final ReadGuard readGuard;
  private final HomeView home;
  private final BackedTrees drain;
  private final HomeReclaim reclaim;
  private final TreeBeginnings beginnings;
  private final TreeProtection protection;
  private final TreeGrowth growth;
  private final ReachedBounds bounds;
  private final LogPace pace;
  private OpenFiles open;
  private UserShares shares;
  // Looked up only, never walked.
  private Map<SessionKey, Long> seenNanos = new HashMap<>();
  private final UnusedFiles unused = new UnusedFiles();
  private final Set<SessionKey> expiring = new HashSet<>();
  private boolean dropping;
  private long checkedNanos;
  private boolean knowsOpen;

  /** Sessions with unknown open files; looked up only. */
  private final Set<SessionKey> untold = new HashSet<>();

  private long graceUntilNanos;
  private final HomeKeys keys;

  public HomeNames(
      NameParts parts, HomeView home, BackedTrees drain, HomeReclaim reclaim, HomeUse use) {
    Basics basics = parts.basics();
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.events = basics.events();
    this.audit = new NameAudit(events);
    this.refusalAudit = new RefusalAudit(events, maps::instance);
    this.counters = basics.counters();
    this.readGuard = parts.readGuard();
    this.home = home;
    this.drain = drain;
    this.reclaim = reclaim;
    this.beginnings = new TreeBeginnings(home, wallClock);
    this.protection = new TreeProtection(parts.policies(), home, use::filesUsedUp);
    this.growth = new TreeGrowth(parts.questions(), home);
    this.bounds = new ReachedBounds(basics.counters().limits());
    this.open = new OpenFiles(parts.users().openFiles());
    this.shares = new UserShares(bounds.counts(), parts.users());
    this.pace = new LogPace(timers::nanos);
    this.keys =
        new HomeKeys(
            home::state,
            (command, instance) -> home.propose(command, forced(instance), applied -> {}),
            parts.secrets());
  }

  /** The same process stays home in a newer epoch: it still knows which sessions have what open. */
  public void adopt(HomeNames earlier) {
    open = earlier.open;
    shares = earlier.shares;
    audit = earlier.audit;
    seenNanos = earlier.seenNanos;
    knowsOpen = earlier.knowsOpen;
  }

  /**
   * Serving begins. A new process does not know the open files of sessions, and a home of the
   * previous epoch does not know opens that were journalled there and not answered: clients tell it
   * again, and say when they have told all. No file is deleted before every session has, or has
   * expired.
   */
  public void served() {
    hearAll();
    // Some may have ended by unapplied entries of the epoch before.
    Set<SessionKey> living = Set.copyOf(home.state().sessions());
    open.endAllBut(living.stream().map(SessionKey::session).collect(Collectors.toSet()));
    shares.endAllBut(living);
    knowsOpen = true;
    untold.addAll(home.state().sessions());
    graceUntilNanos = timers.nanos() + Math.min(home.state().longestExpiryNanos(), GRACE_NANOS_MAX);
    orphaned(home.state().orphans());
    keys.served();
  }

  /** No client could be heard until now: every session gets its whole time from here on. */
  private void hearAll() {
    seenNanos.clear();
    for (SessionKey key : home.state().sessions()) seenNanos.put(key, timers.nanos());
    checkedNanos = timers.nanos();
  }

  /** Any request, answerable in this epoch or not, shows that the client lives. */
  public void heard(Names.Request message) {
    heard(keyOf(message));
  }

  public void heard(SessionKey key) {
    seenNanos.computeIfPresent(key, (known, before) -> timers.nanos());
  }

  public void request(Connection connection, long request, Names.Request message) {
    Instance instance = maps.instance(message.instance());
    Answer answer = new Answer(connection, request, audit.of(connection, message, instance));
    // Before any lookup, journal entry or state.
    Replies.Failed objection = RequestBounds.objection(message);
    if (objection != null) {
      bounds.field();
      answer.send(objection);
      return;
    }
    if (message.openTold()) untold.remove(keyOf(message));
    if (instance == null && maps.mayBeNew(message.instance())) {
      // The client has a newer map than this seat: the instance was made a moment ago.
      maps.fetchMap();
      answer.failed(
          ErrorCode.UNAVAILABLE,
          seat.id() + " has not heard of instance " + message.instance() + " yet");
    } else if (instance == null) {
      answer.failed(
          ErrorCode.UNKNOWN_INSTANCE, "there is no instance of number " + message.instance());
    } else if (!instance.admits(message.who().user(), message.who().groups())) {
      answer.failed(ErrorCode.ACCESS_DENIED, Admission.refusal(instance, message.who().user()));
    } else if (!home.serving()) {
      answer.failed(ErrorCode.UNAVAILABLE, home.group().id() + " is starting: " + home.stage());
    } else if (message.what() instanceof Names.Question question) {
      ask(answer, message, question, instance);
    } else if (message.what() instanceof Names.Change change) {
      change(answer, message, change, instance);
    }
  }

  private void ask(
      Answer answer, Names.Request message, Names.Question question, Instance instance) {
    counters.nameOp();
    if (!home.leased()) {
      answer.failed(
          ErrorCode.UNAVAILABLE, home.group().id() + " waits for leases from its members");
      return;
    }
    SessionKey key = keyOf(message);
    if (question instanceof Names.KeepAlive) {
      if (home.state().expiryNanos(key) == 0) {
        answer.failed(ErrorCode.SESSION_ENDED, "the session has ended");
        return;
      }
      shares.seen(instance, key, message.who());
      audit.heard(key, message.who());
      answer.send(new Replies.Done());
      return;
    }
    if (drain.needsLook(answer.connection(), answer.request(), message)) return;
    if (question instanceof Names.FindRuns find && lacksRight(answer, message, find)) return;
    Message known =
        readGuard.answer(
            question.getClass().getSimpleName(),
            () ->
                home.state()
                    .answer(
                        message.instance(),
                        message.tree(),
                        message.session(),
                        message.who(),
                        question));
    if (question instanceof Names.FindRuns find && known instanceof Names.RunsAre runs) {
      known =
          mayUse(key, message.who(), find.file(), Names.MAY_READ)
              ? keys.proven(message.instance(), find.file(), runs)
              : ContentRights.withoutRecords(runs);
    } else if (known instanceof Names.PairIs pair) {
      Message proven = keys.proven(message.instance(), pair.file(), pair.runs());
      known = proven instanceof Names.RunsAre runs ? new Names.PairIs(pair.file(), runs) : proven;
    }
    if (question instanceof Names.Drain wanted && known instanceof Names.DrainIs) {
      drain.wanted(message, wanted, known, answer::send);
    } else {
      bounds.noted(question, known);
      answer.send(known instanceof Names.LedgerIs is ? drain.told(message, is) : known);
    }
  }

  private boolean lacksRight(Answer answer, Names.Request message, Names.FindRuns find) {
    SessionKey key = keyOf(message);
    boolean may =
        mayUse(key, message.who(), find.file(), Names.MAY_READ)
            || mayUse(key, message.who(), find.file(), Names.MAY_WRITE);
    if (!may) refuseRight(answer, key, message.who(), find.file());
    return !may;
  }

  /** A change that was done before only gets its answer again, regardless of current rights. */
  private boolean lacksRight(Answer answer, Names.Request message, Names.Change change) {
    long file = ContentRights.writtenBy(change);
    SessionKey key = keyOf(message);
    if (file == 0 || home.state().wasAnswered(key, message.op())) return false;
    if (mayUse(key, message.who(), file, Names.MAY_WRITE)) return false;
    refuseRight(answer, key, message.who(), file);
    return true;
  }

  /** A session uses a file's content as far as it has it open, or may open it (P28). */
  @Rule("P28")
  private boolean mayUse(SessionKey key, Identity who, long file, int access) {
    return open.allows(new FileId(key.instance(), file), key.session(), access)
        || home.state().mayUse(key, file, who, access);
  }

  /** A home that does not know all open files of a session cannot refuse yet. */
  private void refuseRight(Answer answer, SessionKey key, Identity who, long file) {
    boolean mayBeOpen = untold.contains(key) && timers.nanos() - graceUntilNanos < 0;
    if (mayBeOpen) {
      answer.failed(
          ErrorCode.UNAVAILABLE, home.group().id() + " has not heard yet which files are open");
    } else {
      answer.failed(
          ErrorCode.ACCESS_DENIED, "user %d has not opened file %d so".formatted(who.user(), file));
    }
  }

  /** The same for reads through to the store; returns whether it was refused. */
  public boolean refusesBacked(Connection connection, long request, Data.GetBacked message) {
    SessionKey key = new SessionKey(message.instance(), message.tree(), message.session());
    if (mayUse(key, message.who(), message.file(), Names.MAY_READ)) return false;
    Answer answer = new Answer(connection, request, refusalAudit.of(connection, message));
    refuseRight(answer, key, message.who(), message.file());
    return true;
  }

  public boolean isOpen(FileId file) {
    return open.isOpen(file);
  }

  private void change(
      Answer answer, Names.Request message, Names.Change change, Instance instance) {
    counters.nameOp();
    if (change instanceof Names.Release release && releaseNow(answer, message, release)) return;
    // Before the check whether it was done already: that would acknowledge it, too.
    boolean waits =
        instance.whenDegraded() == Instance.WhenDegraded.WAIT && !home.group().isWhole();
    if (waits && !(change instanceof Names.EndSession)) {
      answer.failed(ErrorCode.UNAVAILABLE, HomePuts.tooFew(home.group()));
      return;
    }
    if (change instanceof Names.Refresh && !instance.isDrained(message.tree())) {
      answer.failed(ErrorCode.INVALID, "this tree has no backing store to look at");
      return;
    }
    if (drain.needsLook(answer.connection(), answer.request(), message)) return;
    if (lacksRight(answer, message, change)) return;
    Replies.Failed excess = shares.objection(home.state(), instance, message);
    if (excess == null) excess = open.objection(message, bounds.counts());
    if (excess != null) {
      answer.send(excess);
      return;
    }
    if (change instanceof Names.Open wanted && openExisting(answer, message, wanted)) return;
    boolean ends = instance.drain().ending();
    if (ends && !EndingInstance.takes(change, key -> home.state().hasPair(instance.id(), key))) {
      answer.failed(
          ErrorCode.NOT_PERMITTED,
          "instance '%s' ends: nothing more is written to it".formatted(instance.name()));
      return;
    }
    if (bounds.areChangesFull(home)) {
      answer.failed(ErrorCode.BUSY, home.group().id() + " has too many changes under way");
      return;
    }
    if (!home.state().hasTree(message.instance(), message.tree())) {
      if (!TreeBeginnings.mayBegin(message, change, instance)) {
        answer.failed(
            ErrorCode.SESSION_ENDED,
            "tree %d of instance %d is not in %s, so that the session has ended or never began"
                .formatted(message.tree(), message.instance(), home.group().id()));
        return;
      }
      home.propose(beginnings.of(instance, message.tree()), instance.forced(), applied -> {});
      keys.begun(instance.id(), message.tree());
    }
    protection.limit(instance, message.tree());
    if (change instanceof Names.TakeRoom wanted) {
      // Evictions are journalled before this, so that the tree has the room then.
      long freeBytes = home.state().freeBytes(message.instance(), message.tree());
      drain.makeRoom(message, wanted.bytes() - freeBytes);
    }
    if (change instanceof Names.TakeRoom wanted
        && growth.lacksRoom(message, instance, wanted.bytes())) {
      growth.grow(
          message,
          instance,
          wanted.bytes(),
          answered -> {
            if (answered) propose(answer, message, wanted, instance);
            else answer.failed(ErrorCode.UNAVAILABLE, instance.rootGroup() + " gives no room now");
          });
    } else {
      propose(answer, message, change, instance);
    }
  }

  private void propose(
      Answer answer, Names.Request message, Names.Change change, Instance instance) {
    GroupCommand command = commandOf(message, change, instance);
    // A tree's number is never given to another node, not even after a power cut.
    boolean forced = instance.forced() || command instanceof GroupCommand.NameTree;
    boolean taken =
        home.propose(command, forced, applied -> applied(answer, message, change, applied));
    if (!taken) answer.failed(ErrorCode.TOO_LARGE, "the change is too long for the journal");
  }

  /** The keys of its trees; only under leases. */
  public HomeKeys keys() {
    return keys;
  }

  /** Tells a seat the key of a tree. */
  public void askKey(Connection connection, long request, Data.AskKey message) {
    Answer answer = new Answer(connection, request);
    if (home.leased()) answer.send(keys.answer(message));
    else answer.failed(ErrorCode.UNAVAILABLE, home.group().id() + " has no leases");
  }

  /** As the home of an instance's list of trees: gives one of them room. */
  public void growTree(Connection connection, long request, Data.GrowTree message) {
    Answer answer = new Answer(connection, request);
    growth.grant(message, maps.instance(message.instance()), answer::send);
  }

  /** A session that has it not open knows a file without a name by a name of before. */
  private boolean opensRemoved(Names.Request message, Names.Open wanted) {
    FileId file = new FileId(message.instance(), wanted.directory());
    boolean held = untold.contains(keyOf(message)) || open.isOpenBy(file, message.session());
    return !held
        && wanted.path().isEmpty()
        && home.state().isNameless(message.instance(), message.tree(), wanted.directory());
  }

  private boolean openExisting(Answer answer, Names.Request message, Names.Open wanted) {
    if (!home.leased()) return false;
    if (opensRemoved(message, wanted)) return gone(answer);
    Message reply =
        readGuard.maybeAnswer(
            "Open",
            () ->
                home.state()
                    .openExisting(
                        message.instance(),
                        message.tree(),
                        message.session(),
                        message.op(),
                        message.who(),
                        wanted));
    if (reply == null) return false;
    if (unused.isBeingForgotten(message.instance(), reply)) return gone(answer);
    opened(message, wanted, reply);
    answer.send(reply);
    return true;
  }

  private static boolean gone(Answer answer) {
    answer.failed(ErrorCode.STALE_HANDLE, "the file has lost its last name and is gone");
    return true;
  }

  private void opened(Names.Request message, Names.Open wanted, Message reply) {
    if (!(reply instanceof Names.NodeIs node)) return;
    FileId file = new FileId(message.instance(), node.attributes().number());
    open.open(file, message.session(), message.op(), ContentRights.of(wanted));
    unused.remove(file);
  }

  private GroupCommand commandOf(Names.Request message, Names.Change change, Instance instance) {
    if (change instanceof Names.BeginSession begin && message.tree() == 0) {
      String node = TreeNames.nodeOf(instance, begin.node());
      if (node != null) {
        return new GroupCommand.NameTree(instance.id(), node, instance.treeGroup(node));
      }
    }
    return new GroupCommand.ClientChange(
        message.instance(),
        message.tree(),
        message.session(),
        message.op(),
        message.doneBelow(),
        message.settledBelow(),
        message.who(),
        wallClock.nanos(),
        change);
  }

  private void applied(
      Answer answer,
      Names.Request message,
      Names.Change change,
      GroupState.@Nullable Applied applied) {
    if (applied == null) {
      answer.failed(ErrorCode.UNAVAILABLE, home.group().id() + " is changing its home");
      return;
    }
    Message reply = applied.reply();
    if (change instanceof Names.Open wanted) {
      opened(message, wanted, reply);
    } else if (change instanceof Names.Release release) {
      released(message, release.file(), release.opensUpTo());
      if (!release.whole()) reclaim.gaveUp(keyOf(message));
    } else if (change instanceof Names.BeginSession) {
      begun(keyOf(message), message.who());
    } else if (change instanceof Names.Publish publish
        && publish.close()
        && reply instanceof Names.Published) {
      released(message, publish.file(), publish.opensUpTo());
    }
    answer.send(bounds.noted(change, reply));
  }

  /** Whether a session lives only its state tells: a list of trees answers alike without one. */
  private void begun(SessionKey key, Identity who) {
    if (home.state().expiryNanos(key) == 0) {
      shares.ended(key);
    } else {
      seenNanos.put(key, timers.nanos());
      audit.heard(key, who);
    }
  }

  /**
   * Releases a file without waiting for the journal, if no client can tell the difference. For a
   * file that was only created, the journal entry follows soon; until then the file counts as still
   * being written.
   */
  private boolean releaseNow(Answer answer, Names.Request message, Names.Release release) {
    // The journal must learn which pieces are given up.
    if (!release.whole()) return false;
    if (home.state().isUnfinished(keyOf(message), release.file())) {
      boolean blank = home.state().isBlank(message.instance(), message.tree(), release.file());
      Instance instance = maps.instance(message.instance());
      if (!blank || instance == null || !home.takesMore()) return false;
      home.propose(commandOf(message, release, instance), instance.forced(), applied -> {});
    }
    released(message, release.file(), release.opensUpTo());
    answer.send(new Replies.Done());
    return true;
  }

  private void released(Names.Request message, long number, long opensUpTo) {
    FileId file = new FileId(message.instance(), number);
    boolean closed = open.release(file, message.session(), Math.min(opensUpTo, message.op()));
    if (closed && home.state().isOrphan(file)) unused.add(file);
  }

  /** Files lost their last name: they are deleted once no client has them open. */
  public void orphaned(List<FileId> files) {
    for (FileId file : files) {
      if (!open.isOpen(file)) unused.add(file);
    }
  }

  public void ended(List<SessionKey> sessions) {
    for (SessionKey key : sessions) {
      seenNanos.remove(key);
      untold.remove(key);
      expiring.remove(key);
      shares.ended(key);
      audit.ended(key);
      for (FileId file : open.end(key.session())) {
        if (home.state().isOrphan(file)) unused.add(file);
      }
      reclaim.sessionEnded(key);
    }
  }

  public void poll() {
    if (!home.serving()) return;
    forgetUnused();
    long sinceNanos = timers.nanos() - checkedNanos;
    if (sinceNanos < EXPIRY_CHECK_NANOS) return;
    // A home without leases may be partitioned, so it expires no sessions.
    if (sinceNanos > AWAY_NANOS || !home.leased()) hearAll();
    checkedNanos = timers.nanos();
    expireSilent();
    dropEnded();
  }

  private void forgetUnused() {
    boolean mayBeOpen = !untold.isEmpty() && timers.nanos() - graceUntilNanos < 0;
    if (unused.isEmpty() || mayBeOpen || !home.takesMore()) return;
    unused.forget(
        (instance, tree, files, over) ->
            home.propose(
                new GroupCommand.Forget(instance, tree, files),
                forced(instance),
                applied -> over.run()));
  }

  /** A client that was silent for too long counts as dead (P5). */
  private void expireSilent() {
    for (SessionKey key : home.state().sessions()) {
      Long seen = seenNanos.get(key);
      if (seen == null) {
        seenNanos.put(key, timers.nanos());
      } else if (timers.nanos() - seen > expiryNanos(key) && expiring.add(key)) {
        String expired = "session " + Long.toHexString(key.session()) + " has expired";
        pace.log("expired", () -> expired, events::told);
        Instance instance = maps.instance(key.instance());
        Consumer<Boolean> audited = audit.expiring(key, instance, home.state().nodeOf(key));
        home.propose(
            new GroupCommand.ExpireSession(
                key.instance(), key.tree(), key.session(), wallClock.nanos()),
            forced(key.instance()),
            applied -> audited.accept(applied != null));
      }
    }
  }

  /** A session lives as long as its client keeps sending requests (P5). */
  @Rule("P5")
  private long expiryNanos(SessionKey key) {
    return home.state().expiryNanos(key);
  }

  private void dropEnded() {
    RingMap map = maps.map();
    boolean any = home.state().instances().stream().anyMatch(maps::hasEnded);
    if (map == null || !any || dropping) return;
    dropping = true;
    shares.dropped(map.ended());
    home.propose(new GroupCommand.DropEnded(map.ended()), false, applied -> dropping = false);
  }

  private boolean forced(int instance) {
    Instance known = maps.instance(instance);
    return known != null && known.forced();
  }

  private static SessionKey keyOf(Names.Request message) {
    return new SessionKey(message.instance(), message.tree(), message.session());
  }
}
