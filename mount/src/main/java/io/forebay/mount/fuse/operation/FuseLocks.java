// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Advisory locks between mounts. Each method may wait; an exception becomes an error number. Any
 * thread.
 */
public interface FuseLocks {
  /** Takes a lock in place of what its owner has of the range; false if others hold it. */
  boolean tryLock(LockRequest lock) throws IOException;

  /** Waits for a lock; false if the program was interrupted before. */
  boolean lock(LockRequest lock, BooleanSupplier interrupted) throws IOException;

  void unlock(LockRequest lock) throws IOException;

  /** A lock that keeps the owner from getting this one. */
  Optional<LockRequest> find(LockRequest lock) throws IOException;

  /** A program closes a descriptor: its process releases its fcntl(2) locks of the file. */
  void closed(long node, long owner) throws IOException;

  /** The last close of an open file that flock(2) was called on. */
  void released(long node, long owner) throws IOException;
}
