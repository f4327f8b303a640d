// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import io.forebay.client.profile.Call;
import io.forebay.mount.fuse.operation.FuseLocks;
import io.forebay.mount.fuse.operation.LockRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Counts locks and the time that programs wait for them. Any thread. */
final class ProfiledLocks implements FuseLocks {
  private final FuseLocks locks;
  private final CallCounter counter;

  ProfiledLocks(FuseLocks locks, CallCounter counter) {
    this.locks = locks;
    this.counter = counter;
  }

  @Override
  public boolean tryLock(LockRequest lock) throws IOException {
    long start = counter.now();
    try {
      return locks.tryLock(lock);
    } finally {
      called(lock, start);
    }
  }

  @Override
  public boolean lock(LockRequest lock, BooleanSupplier interrupted) throws IOException {
    long start = counter.now();
    try {
      return locks.lock(lock, interrupted);
    } finally {
      called(lock, start);
    }
  }

  @Override
  public void unlock(LockRequest lock) throws IOException {
    long start = counter.now();
    try {
      locks.unlock(lock);
    } finally {
      called(lock, start);
    }
  }

  @Override
  public Optional<LockRequest> find(LockRequest lock) throws IOException {
    long start = counter.now();
    try {
      return locks.find(lock);
    } finally {
      called(lock, start);
    }
  }

  private void called(LockRequest lock, long start) {
    counter.called(counter.holder(lock), Call.LOCK, lock.node(), start);
  }

  @Override
  public void closed(long node, long owner) throws IOException {
    locks.closed(node, owner);
  }

  @Override
  public void released(long node, long owner) throws IOException {
    locks.released(node, owner);
  }
}
