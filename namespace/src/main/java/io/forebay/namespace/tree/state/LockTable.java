// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.Limit;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Names.Lock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The advisory locks of a tree and the requests that wait for one (P27). All of it is journalled
 * state, so that a new home knows it, and it ends with its sessions. The home never blocks: a
 * request that cannot get its lock is queued here, and its client asks later.
 *
 * <p>A waiting request gets its lock when neither a held lock nor a request that has waited longer
 * conflicts with it. For an owner that already holds a lock of the file, only held locks count,
 * since it would wait for itself.
 */
public final class LockTable {
  /** Locks of one file; a request looks at all of them. */
  static final int LOCKS_MAX = Math.toIntExact(Limit.LOCKS.value());

  /** Files that have locks; the end of a session looks at all of them. */
  static final int FILES_MAX = 64 * 1024;

  /** Requests that wait, over all files of the tree. */
  static final int WAITING_MAX = 16 * 1024;

  /** A lock and the session that it belongs to. */
  public record Held(long session, Lock lock) {
    boolean isOf(Held other) {
      return session == other.session
          && lock.kind() == other.lock.kind()
          && lock.owner() == other.lock.owner();
    }

    /** P27: what keeps two locks from being held at the same time. */
    boolean excludes(Held other) {
      return lock.kind() == other.lock.kind()
          && !isOf(other)
          && (lock.exclusive() || other.lock.exclusive())
          && overlaps(other.lock.first(), other.lock.last());
    }

    boolean overlaps(long first, long last) {
      return lock.first() <= last && first <= lock.last();
    }

    Held of(long first, long last) {
      Lock part =
          new Lock(
              lock.file(),
              lock.kind(),
              lock.owner(),
              lock.process(),
              lock.exclusive(),
              first,
              last);
      return new Held(session, part);
    }
  }

  /** A request that waits under its client's number. */
  public record Waiting(Held wanted, long ticket) {}

  private final TreeMap<Long, List<Held>> held = new TreeMap<>();

  /** For each file, in the order of arrival. */
  private final TreeMap<Long, List<Waiting>> waiting = new TreeMap<>();

  private int waitingCount;

  /** Takes a lock, or queues the request. */
  public Names.LockState set(long session, Names.SetLock request) throws Refused {
    Lock lock = request.lock();
    requireRange(lock.first(), lock.last());
    Held wanted = new Held(session, lock);
    // As in flock(2): it releases its lock, and then requests the other.
    if (lock.kind() == Names.LockKind.WHOLE) cut(wanted, lock.first(), lock.last());
    if (mayHold(wanted, request.ticket() == 0 ? List.of() : waitingOf(lock.file()))) {
      requireFew(lock.file());
      place(wanted);
      grantWaiting(lock.file());
      return Names.LockState.HELD;
    }
    if (lock.kind() == Names.LockKind.WHOLE) grantWaiting(lock.file());
    if (request.ticket() == 0) return Names.LockState.TAKEN;
    queue(new Waiting(wanted, request.ticket()));
    return Names.LockState.WAITING;
  }

  private void queue(Waiting request) throws Refused {
    if (waitingCount >= WAITING_MAX) {
      throw new Refused(
          ErrorCode.NO_SPACE, "more than " + WAITING_MAX + " requests wait for locks");
    }
    Held wanted = request.wanted();
    boolean isRange = wanted.lock().kind() == Names.LockKind.RANGE;
    if (isRange && new LockCycle(this).closesWith(wanted)) {
      throw new Refused(ErrorCode.DEADLOCK, "its holders wait for the requester");
    }
    restore(request);
  }

  /** Whether nothing is in the way of a lock. */
  private boolean mayHold(Held wanted, List<Waiting> before) {
    for (Held other : heldOf(wanted.lock().file())) {
      if (other.excludes(wanted)) return false;
    }
    if (holdsSomething(wanted)) return true;
    return before.stream().noneMatch(other -> other.wanted().excludes(wanted));
  }

  private boolean holdsSomething(Held owner) {
    return heldOf(owner.lock().file()).stream().anyMatch(owner::isOf);
  }

  /** Enters a lock in place of its owner's locks of the range, joined with adjacent ones. */
  private void place(Held wanted) {
    long first = wanted.lock().first();
    long last = wanted.lock().last();
    cut(wanted, first, last);
    List<Held> all = held.computeIfAbsent(wanted.lock().file(), key -> new ArrayList<>());
    for (Held other : List.copyOf(all)) {
      if (!other.isOf(wanted) || other.lock().exclusive() != wanted.lock().exclusive()) continue;
      boolean before = other.lock().last() != Long.MAX_VALUE && other.lock().last() + 1 == first;
      boolean behind = last != Long.MAX_VALUE && last + 1 == other.lock().first();
      if (!before && !behind) continue;
      all.remove(other);
      if (before) first = other.lock().first();
      else last = other.lock().last();
    }
    all.add(wanted.of(first, last));
  }

  /** Takes a range out of an owner's locks. */
  private void cut(Held owner, long first, long last) {
    List<Held> all = held.get(owner.lock().file());
    if (all == null) return;
    List<Held> left = new ArrayList<>(all.size());
    for (Held other : all) {
      if (!other.isOf(owner) || !other.overlaps(first, last)) {
        left.add(other);
        continue;
      }
      Lock lock = other.lock();
      if (lock.first() < first) left.add(other.of(lock.first(), first - 1));
      if (lock.last() > last) left.add(other.of(last + 1, lock.last()));
    }
    if (left.isEmpty()) held.remove(owner.lock().file());
    else held.put(owner.lock().file(), left);
  }

  public void unlock(long session, Names.Unlock request) throws Refused {
    requireRange(request.first(), request.last());
    Lock lock =
        new Lock(
            request.file(),
            request.kind(),
            request.owner(),
            0,
            false,
            request.first(),
            request.last());
    // A part in the middle of a lock leaves two; all of it leaves none.
    boolean whole = request.first() == 0 && request.last() == Long.MAX_VALUE;
    if (!whole) requireFew(request.file());
    cut(new Held(session, lock), request.first(), request.last());
    grantWaiting(request.file());
  }

  /** Gives locks to requests that wait for them, the oldest first. */
  private void grantWaiting(long file) {
    List<Waiting> all = waiting.get(file);
    if (all == null) return;
    List<Waiting> left = new ArrayList<>();
    for (Waiting request : all) {
      if (mayHold(request.wanted(), left)) place(request.wanted());
      else left.add(request);
    }
    keepWaiting(file, all, left);
  }

  private void keepWaiting(long file, List<Waiting> before, List<Waiting> left) {
    waitingCount -= before.size() - left.size();
    if (left.isEmpty()) waiting.remove(file);
    else waiting.put(file, left);
  }

  /** Ends a request that waits; whether it waited. */
  public boolean cancel(long session, long ticket) {
    for (long file : List.copyOf(waiting.keySet())) {
      if (removeWaiting(file, session, ticket)) {
        grantWaiting(file);
        return true;
      }
    }
    return false;
  }

  private boolean removeWaiting(long file, long session, long ticket) {
    List<Waiting> all = waitingOf(file);
    List<Waiting> left = new ArrayList<>(all);
    left.removeIf(each -> each.wanted().session() == session && each.ticket() == ticket);
    if (left.size() == all.size()) return false;
    keepWaiting(file, all, left);
    return true;
  }

  public boolean isWaiting(long session, long ticket) {
    for (List<Waiting> requests : waiting.values()) {
      for (Waiting each : requests) {
        if (each.wanted().session() == session && each.ticket() == ticket) return true;
      }
    }
    return false;
  }

  /** A lock that is in the way of another, or null. */
  public @Nullable Held find(long session, Lock lock) throws Refused {
    requireRange(lock.first(), lock.last());
    Held wanted = new Held(session, lock);
    for (Held other : heldOf(lock.file())) {
      if (other.excludes(wanted)) return other;
    }
    return null;
  }

  /** A session is over, and with it its locks. */
  public void ended(long session) {
    for (long file : List.copyOf(waiting.keySet())) {
      List<Waiting> all = waitingOf(file);
      keepWaiting(
          file, all, all.stream().filter(each -> each.wanted().session() != session).toList());
    }
    for (long file : List.copyOf(held.keySet())) {
      List<Held> left = new ArrayList<>(heldOf(file));
      if (!left.removeIf(each -> each.session() == session)) continue;
      if (left.isEmpty()) held.remove(file);
      else held.put(file, left);
    }
    for (long file : List.copyOf(waiting.keySet())) grantWaiting(file);
  }

  /** A file is gone from the tree; no session has it open. */
  public void gone(long file) {
    held.remove(file);
    List<Waiting> all = waiting.get(file);
    if (all != null) keepWaiting(file, all, List.of());
  }

  List<Held> heldOf(long file) {
    return held.getOrDefault(file, List.of());
  }

  List<Waiting> waitingOf(long file) {
    return waiting.getOrDefault(file, List.of());
  }

  /** All locks, by file. */
  public Iterable<List<Held>> allHeld() {
    return held.values();
  }

  /** All requests that wait, by file. */
  public Iterable<List<Waiting>> allWaiting() {
    return waiting.values();
  }

  public void restore(Held lock) {
    held.computeIfAbsent(lock.lock().file(), key -> new ArrayList<>()).add(lock);
  }

  public void restore(Waiting request) {
    long file = request.wanted().lock().file();
    List<Waiting> all = new ArrayList<>(waitingOf(file));
    all.add(request);
    waiting.put(file, all);
    waitingCount++;
  }

  private void requireFew(long file) throws Refused {
    if (held.size() >= FILES_MAX && !held.containsKey(file)) {
      throw new Refused(ErrorCode.NO_SPACE, "more than " + FILES_MAX + " files have locks");
    }
    if (heldOf(file).size() >= LOCKS_MAX) {
      throw new Refused(ErrorCode.NO_SPACE, "file " + file + " has too many locks");
    }
  }

  private static void requireRange(long first, long last) throws Refused {
    if (first < 0 || last < first) {
      throw new Refused(ErrorCode.INVALID, "a lock from " + first + " to " + last);
    }
  }
}
