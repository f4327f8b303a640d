// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.SessionLocks;
import io.forebay.client.core.retry.Backoff;
import io.forebay.client.failure.Failures;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.loop.ClientLoop;
import io.forebay.client.loop.PendingUnlocks;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Advisory locks between all clients of an instance. The k servers that keep the names keep the
 * locks too. A lock belongs to this client's session: if the client dies, its locks are released
 * when the session ends, and its unpublished writes are never published. Any thread.
 */
public final class Locks {
  /** The first and the longest pause before a waiting call asks again. */
  private static final long FIRST_NANOS = 2_000_000L;

  private static final long NANOS_MAX = 100_000_000L;
  private static final Backoff BACKOFF = Backoff.exact(FIRST_NANOS, NANOS_MAX);

  /** All of a file that one owner may hold. */
  private record Owned(long file, boolean whole, long owner) {
    static Owned of(FileLock lock) {
      return new Owned(lock.file(), lock.whole(), lock.owner());
    }
  }

  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;
  private final AtomicLong lastTicket = new AtomicLong();
  private final PendingUnlocks owed = new PendingUnlocks();

  /** The possible holders, each with its session. */
  private final Map<Owned, SessionLocks> held = new ConcurrentHashMap<>();

  Locks(ClientLoop loop, ClientCore core, Identity who) {
    this.loop = loop;
    this.core = core;
    this.who = who;
  }

  /** Takes a lock in place of what its owner has of the range; false if others hold it. */
  public boolean tryLock(FileLock lock) throws IOException {
    return set(current(), lock, 0) == Names.LockState.HELD;
  }

  /**
   * Waits for a lock; false if the caller gave up before.
   *
   * @param givesUp polled while the lock is awaited; true ends the wait
   * @throws ForebayException with {@link ErrorCode#DEADLOCK} if its holders wait for this one
   */
  public boolean lock(FileLock lock, BooleanSupplier givesUp) throws IOException {
    long ticket = lastTicket.incrementAndGet();
    SessionLocks session = current();
    Names.LockState state = set(session, lock, ticket);
    int waits = 0;
    while (state == Names.LockState.WAITING) {
      if (givesUp.getAsBoolean() || !pause(BACKOFF.nanos(++waits))) {
        state = call(lock, () -> session.cancel(who, ticket));
      } else {
        state = stillWaits(session, lock, ticket);
      }
    }
    return state == Names.LockState.HELD;
  }

  /** It keeps waiting while no server answers: the request is queued at the servers. */
  private Names.LockState stillWaits(SessionLocks session, FileLock lock, long ticket)
      throws IOException {
    try {
      return call(lock, () -> session.ask(who, ticket));
    } catch (IOException e) {
      if (session.hasEnded() || Failures.codeOf(e) != ErrorCode.UNAVAILABLE) throw e;
      return Names.LockState.WAITING;
    }
  }

  /** False if the thread was interrupted. */
  private static boolean pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private SessionLocks current() throws IOException {
    return loop.call(null, core::locks);
  }

  private Names.LockState set(SessionLocks session, FileLock lock, long ticket) throws IOException {
    owed.settle();
    // Recorded before the request, since its answer may be lost: a lock that may be held is
    // released in the end.
    SessionLocks before = held.putIfAbsent(Owned.of(lock), session);
    if (before != null && before.hasEnded()) {
      throw new ForebayException(
          ErrorCode.SESSION_ENDED,
          "locks of file "
              + lock.file()
              + " were lost with the session; close it and open it again");
    }
    return call(lock, () -> session.set(who, lock.message(), ticket));
  }

  private Names.LockState call(FileLock lock, Supplier<CompletableFuture<Names.LockState>> what)
      throws IOException {
    return loop.call("file " + lock.file(), what);
  }

  /** Releases an owner's locks of a range; its process and kind of access do not matter. */
  public void unlock(FileLock lock) throws IOException {
    Owned owned = Owned.of(lock);
    SessionLocks session = held.get(owned);
    if (session == null) return;
    boolean all = lock.first() == 0 && lock.last() == Long.MAX_VALUE;
    if (all) held.remove(owned);
    if (session.hasEnded()) return;
    try {
      unlock(session, lock);
    } catch (IOException e) {
      if (Failures.codeOf(e) == ErrorCode.UNAVAILABLE) owed.add(new Owed(session, lock));
      throw e;
    }
  }

  private void unlock(SessionLocks session, FileLock lock) throws IOException {
    loop.call("file " + lock.file(), () -> session.unlock(who, lock.message()));
  }

  private final class Owed implements PendingUnlocks.Owed {
    private final SessionLocks session;
    private final FileLock lock;

    Owed(SessionLocks session, FileLock lock) {
      this.session = session;
      this.lock = lock;
    }

    @Override
    public boolean isOver() {
      return session.hasEnded();
    }

    @Override
    public void unlock() throws IOException {
      Locks.this.unlock(session, lock);
    }
  }

  /** A lock that keeps its owner from getting this one, if there is any. */
  public Optional<FileLock> find(FileLock lock) throws IOException {
    SessionLocks session = current();
    Names.LockHolder holder =
        loop.call("file " + lock.file(), () -> session.find(who, lock.message()));
    return holder.locks().stream().findFirst().map(FileLock::of);
  }

  /** Whether an owner may hold something of a file. */
  public boolean holds(long file, boolean whole, long owner) {
    return held.containsKey(new Owned(file, whole, owner));
  }

  /** Whether locks of a file were lost because their session ended. */
  public boolean areLost(long file) {
    if (held.isEmpty()) return false;
    for (Map.Entry<Owned, SessionLocks> each : held.entrySet()) {
      if (each.getKey().file() == file && each.getValue().hasEnded()) return true;
    }
    return false;
  }
}
