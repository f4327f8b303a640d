// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.wire.message.Names;

/**
 * An advisory lock of a range of a file.
 *
 * @param file the file's number
 * @param whole whether it is one of flock(2)'s, which exclude only each other; else of fcntl(2)'s
 * @param owner names a process or an open file within this client; its own locks do not exclude it
 * @param process reported to clients that ask for the holder
 * @param exclusive whether no other owner may hold any lock of these bytes; else others may hold
 *     shared ones
 * @param first the first byte
 * @param last the last byte; {@link Long#MAX_VALUE} for all behind
 */
public record FileLock(
    long file, boolean whole, long owner, int process, boolean exclusive, long first, long last) {

  /** A lock of all bytes, as flock(2) has them. */
  public static FileLock whole(long file, long owner, int process, boolean exclusive) {
    return new FileLock(file, true, owner, process, exclusive, 0, Long.MAX_VALUE);
  }

  Names.Lock message() {
    Names.LockKind kind = whole ? Names.LockKind.WHOLE : Names.LockKind.RANGE;
    return new Names.Lock(file, kind, owner, process, exclusive, first, last);
  }

  static FileLock of(Names.Lock lock) {
    return new FileLock(
        lock.file(),
        lock.kind() == Names.LockKind.WHOLE,
        lock.owner(),
        lock.process(),
        lock.exclusive(),
        lock.first(),
        lock.last());
  }
}
