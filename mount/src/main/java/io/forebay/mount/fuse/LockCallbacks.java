// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.forebay.mount.fuse.library.FuseLayouts;
import io.forebay.mount.fuse.library.LibFuse;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseLocks;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.LockRequest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The callbacks of libfuse for advisory locks between mounts. A request that has to wait gets a
 * thread of its own, since the session's threads are few, and one of them must be free for the
 * unlock. The waiting thread polls libfuse to find out whether the program was interrupted.
 */
final class LockCallbacks extends RequestAnswers {
  /** Programs that wait for a lock at the same time; more get ENOLCK. */
  static final int WAITING_MAX = 1024;

  private static final short READ_LOCK = 0;
  private static final short WRITE_LOCK = 1;
  private static final short UNLOCK = 2;
  private static final short SEEK_SET = 0;

  private static final int FLOCK_SHARED = 1;
  private static final int FLOCK_NON_BLOCKING = 4;
  private static final int FLOCK_UNLOCK = 8;

  private static final long OWNER = FuseLayouts.at(FuseLayouts.FILE_INFO, "lock_owner");
  private static final long TYPE = FuseLayouts.at(FuseLayouts.FLOCK, "l_type");
  private static final long WHENCE = FuseLayouts.at(FuseLayouts.FLOCK, "l_whence");
  private static final long START = FuseLayouts.at(FuseLayouts.FLOCK, "l_start");
  private static final long LENGTH = FuseLayouts.at(FuseLayouts.FLOCK, "l_len");
  private static final long PROCESS = FuseLayouts.at(FuseLayouts.FLOCK, "l_pid");

  private final FuseLocks locks;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean ending;

  LockCallbacks(LibFuse library, FuseOperations operations, FuseLocks locks) {
    super(library, operations);
    this.locks = locks;
  }

  static long owner(MemorySegment info) {
    return info.address() == 0 ? 0 : info.get(JAVA_LONG, OWNER);
  }

  void getlk(long request, long node, MemorySegment info, MemorySegment lock) {
    LockRequest wanted = range(node, info, lock);
    answer(
        request,
        () -> {
          Optional<LockRequest> found = locks.find(wanted);
          return () -> replyLock(request, found);
        });
  }

  private int replyLock(long request, Optional<LockRequest> found) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment reply = arena.allocate(FuseLayouts.FLOCK);
      reply.set(JAVA_SHORT, TYPE, UNLOCK);
      if (found.isPresent()) {
        LockRequest lock = found.get();
        boolean toEnd = lock.last() == Long.MAX_VALUE;
        reply.set(JAVA_SHORT, TYPE, lock.exclusive() ? WRITE_LOCK : READ_LOCK);
        reply.set(JAVA_SHORT, WHENCE, SEEK_SET);
        reply.set(JAVA_LONG, START, lock.first());
        reply.set(JAVA_LONG, LENGTH, toEnd ? 0 : lock.last() - lock.first() + 1);
        reply.set(JAVA_INT, PROCESS, lock.process());
      }
      return library.replyLock(request, reply);
    }
  }

  void setlk(long request, long node, MemorySegment info, MemorySegment lock, int waits) {
    LockRequest wanted = range(node, info, lock);
    if (lock.get(JAVA_SHORT, TYPE) == UNLOCK) done(request, () -> locks.unlock(wanted));
    else take(request, wanted, waits != 0);
  }

  private static LockRequest range(long node, MemorySegment info, MemorySegment lock) {
    long first = lock.get(JAVA_LONG, START);
    long length = lock.get(JAVA_LONG, LENGTH);
    long last =
        length == 0 || length - 1 > Long.MAX_VALUE - first ? Long.MAX_VALUE : first + length - 1;
    boolean exclusive = lock.get(JAVA_SHORT, TYPE) == WRITE_LOCK;
    int process = lock.get(JAVA_INT, PROCESS);
    return new LockRequest(node, false, owner(info), process, exclusive, first, last);
  }

  void flock(long request, long node, MemorySegment info, int operation) {
    boolean exclusive = (operation & FLOCK_SHARED) == 0;
    LockRequest wanted = new LockRequest(node, true, owner(info), 0, exclusive, 0, Long.MAX_VALUE);
    if ((operation & FLOCK_UNLOCK) != 0) done(request, () -> locks.unlock(wanted));
    else take(request, wanted, (operation & FLOCK_NON_BLOCKING) == 0);
  }

  private void take(long request, LockRequest wanted, boolean waits) {
    if (!waits) {
      done(
          request,
          () -> {
            if (!locks.tryLock(wanted)) throw new ErrnoException(Errno.EAGAIN);
          });
    } else if (waiting.incrementAndGet() > WAITING_MAX) {
      waiting.decrementAndGet();
      library.replyErr(request, Errno.ENOLCK);
    } else {
      var _ = Thread.ofVirtual().name("fuse-lock").start(() -> await(request, wanted));
    }
  }

  private void await(long request, LockRequest wanted) {
    try {
      done(request, () -> wait(request, wanted));
    } finally {
      waiting.decrementAndGet();
      synchronized (waiting) {
        waiting.notifyAll();
      }
    }
  }

  private void wait(long request, LockRequest wanted) throws IOException {
    boolean got = locks.lock(wanted, () -> ending || library.isInterrupted(request));
    if (!got) throw new ErrnoException(Errno.EINTR);
  }

  /** Programs wait no longer; returns when all have been answered, so that libfuse may end. */
  void end() {
    ending = true;
    boolean interrupted = false;
    synchronized (waiting) {
      while (waiting.get() > 0) {
        try {
          waiting.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
