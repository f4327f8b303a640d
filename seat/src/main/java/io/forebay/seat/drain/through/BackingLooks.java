// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Listing;
import io.forebay.backing.RetryPace;
import io.forebay.base.Timers;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.drain.FoundInBacking;
import io.forebay.seat.names.HomeNames;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists directories of a tree's backing store when a request needs their names, and journals the
 * entries. Requests wait until then. A new home starts again with the directory of the next
 * request; entries that are already journalled are kept.
 */
public final class BackingLooks {
  /** No directory of the store with more names is shown. */
  static final int NAMES_MAX = 200_000;

  private static final int LISTED_AT_ONCE = 1_000;

  /** The maximum number of names in one entry of the journal. */
  private static final int PART_NAMES_MAX = 500;

  private static final int PART_BYTES_MAX = 48 * 1024;

  /** The bytes of an entry besides its texts. */
  private static final int ENTRY_BYTES = 48;

  /** The maximum number of directories that are listed at a time. */
  private static final int UNDER_WAY_MAX = 4;

  /** The maximum number of requests that wait for one directory; more are told to retry. */
  private static final int WAITING_MAX = Math.toIntExact(Limit.BACKING_LOOKS.value());

  /** Less than clients wait before they take a home for dead. */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  private static final long AGAIN_NANOS = 100_000_000L;

  /** How long a listing of a known directory is retried; after that it stays as it is. */
  private static final long AGAIN_NANOS_MAX = 10_000_000_000L;

  /** How often to retry before a listed directory is left as it is. */
  private static final int TRIES_MAX = 5;

  /** A request that waits. */
  public record Waiting(Connection connection, long request, Names.Request message) {
    void failed(ErrorCode code, String detail) {
      connection.send(request, new Replies.Failed(code, detail));
    }
  }

  /** The contents of a directory of the store. */
  private record Contents(List<FoundInBacking> found, int leftOut) {}

  /** One directory, from the first request that needs it until its names are journalled. */
  private final class Look {
    final long directory;
    final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    final ArrayDeque<List<FoundInBacking>> parts = new ArrayDeque<>();
    final RetryPace pace = tree.newPace();
    long mark;
    int leftOut;
    final long begunNanos = timers.nanos();
    long sinceNanos = timers.nanos();
    long notBeforeNanos = timers.nanos();
    boolean underWay;
    String trouble = "";

    Look(long directory) {
      this.directory = directory;
    }
  }

  private final Timers timers;
  private final WallClock wallClock;
  private final RepeatedWarnings warnings;
  private final LimitCounts limits;
  private final HomeNames names;
  private final TreeContext tree;
  private final Map<Long, Look> looks = new LinkedHashMap<>();

  public BackingLooks(Basics basics, HomeNames names, TreeContext tree) {
    this.names = names;
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.warnings = basics.warnings();
    this.limits = basics.counters().limits();
    this.tree = tree;
  }

  public void await(long directory, Waiting waiting) {
    Look look = looks.computeIfAbsent(directory, Look::new);
    if (look.waiting.size() >= WAITING_MAX) {
      limits.reached(Limit.BACKING_LOOKS);
      waiting.failed(ErrorCode.BUSY, "too many wait for a directory of the backing store");
      return;
    }
    if (look.waiting.isEmpty()) look.sinceNanos = timers.nanos();
    look.waiting.add(waiting);
    maybeStart(look);
  }

  public void tick() {
    for (Look look : List.copyOf(looks.values())) {
      maybeStart(look);
      if (timers.nanos() - look.sinceNanos < PATIENCE_NANOS) continue;
      String why = look.trouble.isEmpty() ? "the backing store is being looked at" : look.trouble;
      refuseAll(look, ErrorCode.UNAVAILABLE, why);
      look.sinceNanos = timers.nanos();
    }
  }

  public void stop() {
    for (Look look : looks.values()) {
      refuseAll(look, ErrorCode.UNAVAILABLE, tree.home().group().id() + " is changing its home");
    }
    looks.clear();
  }

  private static void refuseAll(Look look, ErrorCode code, String why) {
    for (Waiting next = look.waiting.poll(); next != null; next = look.waiting.poll()) {
      next.failed(code, why);
    }
  }

  private void maybeStart(Look look) {
    BackingView view = tree.view();
    Backing backing = tree.backing();
    if (look.underWay || view == null || backing == null || !tree.active()) return;
    String path = view.unseenPath(look.directory);
    if (path == null) {
      over(look);
      return;
    }
    long underWay = looks.values().stream().filter(each -> each.underWay).count();
    boolean before = view.isSeenBefore(look.directory);
    if (before && timers.nanos() - look.begunNanos > AGAIN_NANOS_MAX) {
      giveUp(
          look, view, "the backing store is being changed all the time, so it was not looked at");
      return;
    }
    boolean later =
        underWay >= UNDER_WAY_MAX
            || backing.room() == 0
            || timers.nanos() - look.notBeforeNanos < 0
            // Changes that are made here and pending there would seem to be undone.
            || (before && view.settledMark() < 0);
    if (later) return;
    look.underWay = true;
    look.mark = view.settledMark();
    BackingPath place = BackingPath.of(path);
    backing.submit(store -> list(store, place), answer -> listed(look, answer));
  }

  private static Contents list(BackingStore store, BackingPath directory) throws BackingException {
    List<FoundInBacking> found = new ArrayList<>();
    int leftOut = 0;
    try (Listing listing = store.list(directory)) {
      while (true) {
        List<Listing.Entry> page = listing.next(LISTED_AT_ONCE);
        if (page.isEmpty()) break;
        for (Listing.Entry entry : page) {
          FoundInBacking shown = shown(entry);
          if (shown == null) leftOut++;
          else found.add(shown);
        }
        if (found.size() > NAMES_MAX) {
          throw new BackingException(
              new BackingFailure.WrongKind(
                  "'%s' in %s has more than %d names, too many to be shown; make directories in it"
                      .formatted(directory, store.description(), NAMES_MAX)));
        }
      }
    } catch (BackingException e) {
      // It existed when its parent was listed, or was never drained to.
      if (!(e.failure() instanceof BackingFailure.NotFound)) throw e;
    }
    found.sort(Comparator.comparing(FoundInBacking::name));
    return new Contents(found, leftOut);
  }

  /**
   * The entry of a name; null for nodes that are neither file nor directory, or cannot be named.
   */
  private static @Nullable FoundInBacking shown(Listing.Entry entry) {
    BackingFile file = entry.file();
    FoundInBacking.Kind kind =
        switch (file.kind()) {
          case FILE -> FoundInBacking.Kind.FILE;
          case DIRECTORY -> FoundInBacking.Kind.DIRECTORY;
          case SYMLINK, OTHER -> null;
        };
    if (kind == null || BackingPath.problemWith(entry.name()) != null) return null;
    FileAttributes attributes = file.attributes();
    boolean isFile = kind == FoundInBacking.Kind.FILE;
    return new FoundInBacking(
        entry.name(),
        kind,
        isFile ? file.sizeBytes() : 0,
        attributes.mode(),
        attributes.user(),
        attributes.group(),
        attributes.modifyNanos(),
        isFile ? file.version() : "");
  }

  private void listed(Look look, Backing.Answer<Contents> answer) {
    BackingView view = tree.view();
    if (tree.home().stopped() || view == null || looks.get(look.directory) != look) return;
    switch (answer) {
      case Backing.Answer.Failed<Contents> failed -> failed(look, failed.failure(), view);
      case Backing.Answer.Done<Contents> done -> {
        look.pace.worked();
        look.trouble = "";
        tree.works();
        List<FoundInBacking> found = new ArrayList<>(done.value().found());
        if (view.isSeenBefore(look.directory)) addGone(look, view, found);
        look.leftOut = done.value().leftOut();
        look.parts.clear();
        cut(found, look.parts);
        proposeNext(look);
      }
    }
  }

  /** Names of files that the store had and has no more. */
  private static void addGone(Look look, BackingView view, List<FoundInBacking> found) {
    Set<String> names = new HashSet<>();
    for (FoundInBacking each : found) names.add(each.name());
    for (String name : view.storedNames(look.directory)) {
      if (!names.contains(name)) found.add(FoundInBacking.nothing(name));
    }
  }

  /** Into parts that fit the journal; at least one, which may be empty. */
  private static void cut(List<FoundInBacking> found, ArrayDeque<List<FoundInBacking>> parts) {
    List<FoundInBacking> part = new ArrayList<>();
    int bytes = 0;
    for (FoundInBacking each : found) {
      int more = ENTRY_BYTES + 3 * (each.name().length() + each.contentTag().length());
      if (part.size() == PART_NAMES_MAX || bytes + more > PART_BYTES_MAX) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(each);
      bytes += more;
    }
    parts.add(part);
  }

  private void proposeNext(Look look) {
    List<FoundInBacking> part = look.parts.poll();
    if (part == null) throw new IllegalStateException("nothing is left to be journalled");
    boolean last = look.parts.isEmpty();
    propose(look, part, last, applied -> proposed(look, last, applied));
  }

  private void propose(Look look, List<FoundInBacking> part, boolean last, HomeView.Change change) {
    tree.propose(
        new GroupCommand.Adopt(
            tree.instance(),
            tree.tree(),
            look.directory,
            look.mark,
            part,
            last,
            look.leftOut,
            wallClock.nanos()),
        change);
  }

  private void proposed(Look look, boolean last, GroupState.@Nullable Applied applied) {
    // In another epoch, the next home knows more about it.
    if (applied == null || looks.get(look.directory) != look) return;
    if (applied.reply() instanceof Replies.Failed) {
      // The tree has changed, or another listing was faster.
      look.underWay = false;
      look.notBeforeNanos = timers.nanos() + AGAIN_NANOS;
      maybeStart(look);
    } else if (!last) {
      proposeNext(look);
    } else {
      if (look.leftOut > 0) warnOfLeftOut(look);
      over(look);
    }
  }

  private void warnOfLeftOut(Look look) {
    warnings.warn(
        "the backing store of instance " + tree.instance(),
        look.leftOut
            + " symbolic links or special files in one directory are not shown; nothing is"
            + " done to them");
  }

  /** All names are known: the requests go on, perhaps to wait for the next directory. */
  private void over(Look look) {
    looks.remove(look.directory, look);
    for (Waiting next = look.waiting.poll(); next != null; next = look.waiting.poll()) {
      names.request(next.connection(), next.request(), next.message());
    }
  }

  private void failed(Look look, BackingFailure failure, BackingView view) {
    look.underWay = false;
    look.trouble = failure.sentence();
    tree.troubled(failure);
    look.notBeforeNanos = timers.nanos() + look.pace.failed(failure.advice());
    boolean passes = failure.advice() == BackingFailure.Advice.TRY_AGAIN;
    boolean before = view.isSeenBefore(look.directory);
    if (passes && (!before || look.pace.failures() < TRIES_MAX)) return;
    if (before) {
      giveUp(look, view, failure.sentence());
    } else {
      refuseAll(look, ErrorCode.FAILED, failure.sentence());
      looks.remove(look.directory, look);
    }
  }

  /** All is as it was: a store that is away must not make a directory unusable that was not. */
  private void giveUp(Look look, BackingView view, String why) {
    refuseAll(look, ErrorCode.FAILED, why);
    look.underWay = true;
    look.leftOut = -1;
    look.mark = view.settledMark();
    propose(look, List.of(), true, applied -> proposed(look, true, applied));
  }
}
