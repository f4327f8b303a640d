// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.Timers;
import io.forebay.drain.policy.KeepPolicy;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.drain.ReadPiece;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.part.WallClock;
import io.forebay.seat.peer.Questions;
import io.forebay.store.Store;
import io.forebay.store.index.Extent;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Caches bytes that are read through in the buffer, as the home of a tree, if the instance's policy
 * says so. A group is chosen for each piece; its home reads the piece from the store and keeps it
 * as a record; then the journal adds it to the file, unless that has changed meanwhile ({@code
 * DrainChanges.enterRead}). Readers wait for it and fetch it from there; if that fails, they are
 * served from the store.
 *
 * <p>The records belong to a session of this home, which lives as long as there is work: so records
 * that never became part of a file are garbage like any client's (P5).
 */
public final class ReadCache {
  /** Pieces begin and end at multiples of this, if they can: small readers usually read on. */
  private static final int ROUND_BYTES = 256 * 1024;

  /** The length of a file's run that goes to one group. */
  private static final long STRIPE_BYTES = 8L * 1024 * 1024;

  private static final int FILLS_MAX = 64;
  private static final int WAITING_MAX = 1024;
  private static final long FILL_NANOS = 3_000_000_000L;

  /** How many other groups are tried, and the pause between two of them. */
  private static final int AGAIN_MAX = 3;

  private static final long AGAIN_NANOS = 50_000_000L;
  private static final Set<ErrorCode> ELSEWHERE =
      EnumSet.of(
          ErrorCode.BUSY,
          ErrorCode.NO_SPACE,
          ErrorCode.UNAVAILABLE,
          ErrorCode.NOT_HOME,
          ErrorCode.STALE_EPOCH);

  /** How long nothing is cached after a seat needed room. */
  private static final long PRESSED_NANOS = 5_000_000_000L;

  /** This home alone keeps its session alive, and the next one need not wait for it long. */
  private static final long EXPIRY_NANOS = 5_000_000_000L;

  private static final long IDLE_NANOS = 30_000_000_000L;

  /** The name of the session's client node. */
  static final String NODE = "@reads";

  /** The home's part for readers and for the session. */
  public interface Answers {
    /** The session lives. */
    void heard(SessionKey key);

    /** The awaited bytes are in the buffer, or will not be. */
    void getAfterFill(ReadThrough.Asker asker);
  }

  /** A piece that is on its way from the store to the buffer. */
  private static final class Fill {
    final long file;
    final long offset;
    final int lengthBytes;
    final long version;
    final BackingView.Stored stored;
    final List<ReadThrough.Asker> askers = new ArrayList<>();
    long session;
    long startedNanos;

    /** How many groups were asked before, each for a record of its own. */
    int attempt;

    Fill(long file, long offset, int lengthBytes, long version, BackingView.Stored stored) {
      this.file = file;
      this.offset = offset;
      this.lengthBytes = lengthBytes;
      this.version = version;
      this.stored = stored;
    }

    boolean overlaps(Data.GetBacked message) {
      return file == message.file()
          && offset < message.offset() + message.lengthBytes()
          && message.offset() < offset + lengthBytes;
    }
  }

  private final TreeContext drain;
  private final MapView maps;
  private final Timers timers;
  private final WallClock wallClock;
  private final RandomGenerator random;
  private final Store store;
  private final Questions questions;
  private final Answers answers;
  private final boolean wanted;

  /** By the number of their piece. */
  private final TreeMap<Long, Fill> fills = new TreeMap<>();

  private final List<Long> waitForSession = new ArrayList<>();
  private int waiting;
  private long nextPiece = 1;

  /** 0 for none. */
  private long session;

  private boolean beginning;
  private long usedNanos;
  private long pressedNanos;

  public ReadCache(
      Basics basics, Questions questions, TreeContext drain, KeepPolicy policy, Answers answers) {
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.random = basics.random();
    this.store = basics.store();
    this.questions = questions;
    this.answers = answers;
    this.drain = drain;
    this.wanted = policy.reads();
    this.usedNanos = timers.nanos();
    this.pressedNanos = timers.nanos() - PRESSED_NANOS;
  }

  /** Whether the policy says so. */
  boolean isWanted() {
    return wanted;
  }

  /** A seat needs room. */
  public void pressed() {
    pressedNanos = timers.nanos();
  }

  /** Whether the piece is taken into the buffer, so that the asker waits for that. */
  boolean take(ReadThrough.Asker asker, BackingView view, BackingView.Stored stored) {
    for (Fill fill : fills.values()) {
      if (fill.overlaps(asker.message())) return join(fill, asker);
    }
    long file = asker.message().file();
    Names.Attributes attributes = view.attributes(file);
    boolean fits =
        fills.size() < FILLS_MAX
            && timers.nanos() - pressedNanos >= PRESSED_NANOS
            && drain.active()
            && !isEnding()
            && attributes != null
            && view.hasAll(file)
            // Without a tag a change of the content could not be detected.
            && !stored.contentTag().isEmpty()
            && asker.endOffset() <= stored.backedBytes();
    if (!fits || attributes == null) return false;
    Fill fill = fill(asker, view, stored, attributes.version());
    if (fill.lengthBytes > bytesMax() || !hasRoom(fill.lengthBytes)) return false;
    join(fill, asker);
    long piece = nextPiece++;
    fills.put(piece, fill);
    usedNanos = timers.nanos();
    if (session == 0) {
      waitForSession.add(piece);
      begin();
    } else {
      start(piece, fill);
    }
    return true;
  }

  private boolean isEnding() {
    Instance instance = maps.instance(drain.instance());
    return instance == null || instance.drain().ending();
  }

  private boolean join(Fill fill, ReadThrough.Asker asker) {
    if (waiting >= WAITING_MAX) return false;
    waiting++;
    fill.askers.add(asker);
    return true;
  }

  private int bytesMax() {
    return Math.min(ReadThrough.READ_BYTES_MAX, store.config().payloadBytesMax());
  }

  private boolean hasRoom(int bytes) {
    return drain.home().state().freeBytes(drain.instance(), drain.tree()) >= bytes;
  }

  /** Rounded as far as the buffer has nothing of it, and up to the maximum length of a record. */
  private Fill fill(
      ReadThrough.Asker asker, BackingView view, BackingView.Stored stored, long version) {
    Data.GetBacked message = asker.message();
    long end = asker.endOffset();
    long roundBytes = Math.min(ROUND_BYTES, Integer.highestOneBit(bytesMax()));
    long from = message.offset() / roundBytes * roundBytes;
    long to = Math.min(stored.backedBytes(), (end + roundBytes - 1) / roundBytes * roundBytes);
    Extent next = view.extentFrom(message.file(), from);
    while (next != null && next.offset() < to) {
      if (next.offset() < end) from = next.endOffset();
      else to = next.offset();
      next = next.offset() < end ? view.extentFrom(message.file(), from) : null;
    }
    for (Fill other : fills.values()) {
      if (other.file != message.file()) continue;
      long otherEnd = other.offset + other.lengthBytes;
      if (otherEnd <= message.offset()) from = Math.max(from, otherEnd);
      else if (other.offset >= end) to = Math.min(to, other.offset);
    }
    if (to - from > bytesMax()) {
      from = message.offset();
      to = end;
    }
    return new Fill(message.file(), from, (int) (to - from), version, stored);
  }

  // The session.

  private SessionKey key() {
    return new SessionKey(drain.instance(), drain.tree(), session);
  }

  private void begin() {
    if (beginning) return;
    beginning = true;
    long drawn = random.nextLong();
    drain.propose(
        change(drawn, new Names.BeginSession(NODE, EXPIRY_NANOS)),
        applied -> {
          beginning = false;
          boolean begun = applied != null && applied.reply() instanceof Names.SessionIs;
          if (begun) session = drawn;
          List<Long> waited = List.copyOf(waitForSession);
          waitForSession.clear();
          for (long piece : waited) {
            Fill fill = fills.get(piece);
            if (fill == null) continue;
            if (begun) start(piece, fill);
            else end(piece);
          }
        });
  }

  private GroupCommand change(long of, Names.Change change) {
    return new GroupCommand.ClientChange(
        drain.instance(), drain.tree(), of, 0, 0, 0, Identity.root(), wallClock.nanos(), change);
  }

  public void tick() {
    if (session == 0) return;
    if (!fills.isEmpty()) usedNanos = timers.nanos();
    if (timers.nanos() - usedNanos < IDLE_NANOS) {
      answers.heard(key());
    } else {
      // Records that never became part of a file are deleted everywhere.
      drain.propose(change(session, new Names.EndSession()), applied -> {});
      session = 0;
    }
  }

  /** The epoch is over: waiting clients ask the next home. */
  public void stop() {
    for (Fill fill : fills.values()) {
      for (ReadThrough.Asker asker : fill.askers) {
        asker.refuse(ErrorCode.UNAVAILABLE, drain.home().group().id() + " is changing its home");
      }
    }
    fills.clear();
  }

  // From the store to the buffer.

  private void start(long piece, Fill fill) {
    fill.session = session;
    fill.startedNanos = timers.nanos();
    ask(piece, fill);
  }

  private void ask(long piece, Fill fill) {
    GroupId group = groupOf(fill);
    Instance instance = maps.instance(drain.instance());
    if (group == null || instance == null) {
      end(piece);
      return;
    }
    RecordId record = new RecordId(fill.session, piece * RecordId.ATTEMPTS + fill.attempt);
    questions.askHome(
        group,
        known ->
            new Data.PutBacked(
                known.id(),
                known.epoch(),
                record,
                new FileId(drain.instance(), fill.file),
                fill.stored.name(),
                fill.stored.contentTag(),
                fill.offset,
                fill.lengthBytes,
                instance.forced()),
        FILL_NANOS,
        reply -> put(piece, fill, group, record, reply));
  }

  /** One of the groups with a current home: runs of files take turns. */
  private @Nullable GroupId groupOf(Fill fill) {
    RingMap map = maps.map();
    Instance instance = maps.instance(drain.instance());
    if (map == null || instance == null) return null;
    List<GroupId> groups = new ArrayList<>();
    for (var each : instance.seats()) {
      Group group = map.group(GroupId.of(each, instance.copies()));
      if (group != null && group.members().getFirst().current()) groups.add(group.id());
    }
    if (groups.isEmpty()) return null;
    long turn = fill.file + fill.offset / STRIPE_BYTES + fill.attempt;
    return groups.get((int) Long.remainderUnsigned(turn, groups.size()));
  }

  private void put(long piece, Fill fill, GroupId group, RecordId record, @Nullable Message reply) {
    if (fills.get(piece) != fill) return;
    if (!(reply instanceof Data.PutDone) || !drain.active()) {
      if (mayTryAgain(fill, reply)) {
        fill.attempt++;
        timers.after(AGAIN_NANOS, () -> askAgain(piece, fill));
      } else {
        end(piece);
      }
      return;
    }
    ReadPiece read =
        new ReadPiece(
            fill.session,
            fills.firstKey(),
            fill.file,
            fill.version,
            fill.stored.contentTag(),
            new Names.Piece(fill.offset, fill.lengthBytes, group, record.sequence()));
    drain.propose(
        new GroupCommand.EnterRead(drain.instance(), drain.tree(), read),
        applied -> {
          boolean over =
              applied != null
                  && applied.reply() instanceof Replies.Failed failed
                  && failed.code() == ErrorCode.SESSION_ENDED;
          if (over && session == fill.session) session = 0;
          end(piece);
        });
  }

  /** Another group may have room, or be there: unless it is the store that does not work. */
  private boolean mayTryAgain(Fill fill, @Nullable Message reply) {
    boolean elsewhere =
        reply == null
            || reply instanceof Data.PutElsewhere
            || (reply instanceof Replies.Failed failed && ELSEWHERE.contains(failed.code()));
    return elsewhere
        && drain.active()
        && fill.attempt < AGAIN_MAX
        && timers.nanos() - fill.startedNanos < FILL_NANOS;
  }

  private void askAgain(long piece, Fill fill) {
    if (fills.get(piece) == fill) ask(piece, fill);
  }

  /** Whether it is in the buffer or not: waiting readers get the current state. */
  private void end(long piece) {
    Fill fill = fills.remove(piece);
    if (fill == null) return;
    waiting -= fill.askers.size();
    for (ReadThrough.Asker asker : fill.askers) {
      answers.getAfterFill(asker);
    }
  }
}
