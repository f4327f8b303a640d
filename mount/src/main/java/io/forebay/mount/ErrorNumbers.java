// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.failure.Failures;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.wire.message.ErrorCode;

/** The error number that programs get for a failure of the client. */
final class ErrorNumbers {
  private ErrorNumbers() {}

  static int of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ErrnoException number) return number.errno();
    }
    if (failure instanceof IllegalArgumentException) return Errno.EINVAL;
    return of(codeOf(failure));
  }

  /** The client's code, even if it belongs to an earlier write and is reported only now. */
  private static ErrorCode codeOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      ErrorCode code = Failures.codeOf(cause);
      if (code != ErrorCode.FAILED) return code;
    }
    return ErrorCode.FAILED;
  }

  private static int of(ErrorCode code) {
    return switch (code) {
      case NONE -> 0;
      case NOT_FOUND -> Errno.ENOENT;
      case EXISTS -> Errno.EEXIST;
      case NOT_A_DIRECTORY -> Errno.ENOTDIR;
      case IS_A_DIRECTORY -> Errno.EISDIR;
      case NOT_EMPTY -> Errno.ENOTEMPTY;
      case ACCESS_DENIED, REFUSED -> Errno.EACCES;
      case NOT_PERMITTED -> Errno.EPERM;
      case NAME_TOO_LONG -> Errno.ENAMETOOLONG;
      case TOO_MANY_SYMLINKS -> Errno.ELOOP;
      case TOO_MANY_LINKS -> Errno.EMLINK;
      case NO_SPACE -> Errno.ENOSPC;
      case TOO_LARGE -> Errno.EFBIG;
      case INVALID -> Errno.EINVAL;
      case NO_ATTRIBUTE -> Errno.ENODATA;
      case STALE_HANDLE -> Errno.ESTALE;
      case DEADLOCK -> Errno.EDEADLK;
      case READ_ONLY -> Errno.EROFS;
      case TOO_MANY_FILES -> Errno.EMFILE;
      // No room became free within the timeout of a write.
      case BUSY -> Errno.ENOSPC;
      // Errors that only a cluster can report are device errors to programs.
      default -> Errno.EIO;
    };
  }

  /** Whether it says that the cluster did not answer in time. */
  static boolean isSilence(Throwable failure) {
    ErrorCode code = codeOf(failure);
    return code == ErrorCode.UNAVAILABLE || code == ErrorCode.BUSY;
  }
}
