// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.FileLock;
import io.forebay.client.Locks;
import io.forebay.client.failure.Failures;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseLocks;
import io.forebay.mount.fuse.operation.LockRequest;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Advisory locks between all mounts of an instance. A program's writes are published before its
 * lock is released, and the next holder sees them. Any thread.
 */
final class MountLocks implements FuseLocks {
  /** The content as locks need it. */
  interface Content {
    /** Publishes what this mount has written into a file. */
    void publish(long file) throws IOException;

    /** Invalidates the kernel's cache of a file, if others have published since. */
    void refresh(long file) throws IOException;
  }

  private interface Attempt {
    boolean run() throws IOException;
  }

  private final Locks locks;
  private final KernelView view;
  private final Content content;

  MountLocks(Locks locks, KernelView view, Content content) {
    this.locks = locks;
    this.view = view;
    this.content = content;
  }

  @Override
  public boolean tryLock(LockRequest lock) throws IOException {
    return taken(lock, () -> locks.tryLock(ours(lock)));
  }

  @Override
  public boolean lock(LockRequest lock, BooleanSupplier interrupted) throws IOException {
    return taken(lock, () -> locks.lock(ours(lock), interrupted));
  }

  private boolean taken(LockRequest lock, Attempt attempt) throws IOException {
    long file = view.ours(lock.node());
    // A downgraded lock admits others.
    if (!lock.exclusive() && locks.holds(file, lock.whole(), lock.owner())) content.publish(file);
    boolean got;
    try {
      got = attempt.run();
    } catch (IOException e) {
      if (Failures.codeOf(e) != ErrorCode.NO_SPACE) throw e;
      throw new ErrnoException(Errno.ENOLCK, String.valueOf(e.getMessage()));
    }
    if (got) content.refresh(file);
    return got;
  }

  @Override
  public void unlock(LockRequest lock) throws IOException {
    FileLock ours = ours(lock);
    if (!locks.holds(ours.file(), ours.whole(), ours.owner())) return;
    try {
      content.publish(ours.file());
    } finally {
      locks.unlock(ours);
    }
  }

  @Override
  public Optional<LockRequest> find(LockRequest lock) throws IOException {
    return locks
        .find(ours(lock))
        .map(
            found ->
                new LockRequest(
                    lock.node(),
                    found.whole(),
                    found.owner(),
                    found.process(),
                    found.exclusive(),
                    found.first(),
                    found.last()));
  }

  @Override
  public void closed(long node, long owner) throws IOException {
    unlockAll(node, false, owner);
  }

  @Override
  public void released(long node, long owner) throws IOException {
    unlockAll(node, true, owner);
  }

  private void unlockAll(long node, boolean whole, long owner) throws IOException {
    unlock(new LockRequest(node, whole, owner, 0, false, 0, Long.MAX_VALUE));
  }

  /** Fails if programs of this mount believe that they hold locks of a file that are lost. */
  void requireNotLost(long file) throws ErrnoException {
    if (!locks.areLost(file)) return;
    throw new ErrnoException(
        Errno.EIO, "its locks were lost when the session ended; close the file and open it again");
  }

  private FileLock ours(LockRequest lock) {
    return new FileLock(
        view.ours(lock.node()),
        lock.whole(),
        lock.owner(),
        lock.process(),
        lock.exclusive(),
        lock.first(),
        lock.last());
  }
}
