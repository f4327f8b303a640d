// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

/** Why a request was refused. The position in this list is sent: add new codes at the end. */
public enum ErrorCode {
  NONE,

  // Errors of file systems, with POSIX's meaning.
  NOT_FOUND,
  EXISTS,
  NOT_A_DIRECTORY,
  IS_A_DIRECTORY,
  NOT_EMPTY,
  ACCESS_DENIED,
  NOT_PERMITTED,
  NAME_TOO_LONG,
  TOO_MANY_SYMLINKS,
  TOO_MANY_LINKS,
  NO_SPACE,
  TOO_LARGE,
  INVALID,
  NO_ATTRIBUTE,
  /** The file behind a handle is gone. */
  STALE_HANDLE,

  // Errors of the ring.
  /** The sender's map is older than the receiver's; fetch the map and retry. */
  STALE_EPOCH,
  /** This seat is not the group's home; fetch the map and retry. */
  NOT_HOME,
  /** The group cannot answer now: it is starting, or lacks leases or members. Retry. */
  UNAVAILABLE,
  /** There is no room, or too many requests are pending; the detail says which. Retry. */
  BUSY,
  /** The bytes do not match their checksums. */
  CORRUPT,
  /** No such record here. */
  GONE,
  /** The session has ended; its unpublished writes are lost. */
  SESSION_ENDED,
  UNKNOWN_INSTANCE,
  WRONG_VERSION,
  WRONG_CLUSTER,
  /** The credentials do not allow it. */
  REFUSED,
  /** The message makes no sense here. */
  MALFORMED,
  /** A device failed, or the server is broken; its log has the details. */
  FAILED,
  /** Waiting for the lock would never end: its holders wait for the requester. */
  DEADLOCK,
  /** Write protection: too many bytes were written lately; the detail says when it is lifted. */
  READ_ONLY,
  /** Write protection: too many files were created. */
  TOO_MANY_FILES,
  /** This connection has shown no valid capability for it. */
  UNPROVED
}
