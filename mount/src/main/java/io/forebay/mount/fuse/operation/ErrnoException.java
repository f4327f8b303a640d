// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

import java.io.IOException;

/** An operation failed with an error number. */
public final class ErrnoException extends IOException {
  private static final long serialVersionUID = 1;

  private final int errno;

  public ErrnoException(int errno) {
    super("error " + errno);
    this.errno = errno;
  }

  /** With a reason, for the log. */
  public ErrnoException(int errno, String reason) {
    super(reason);
    this.errno = errno;
  }

  public int errno() {
    return errno;
  }
}
