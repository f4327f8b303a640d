// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

/** A log that lacks committed entries: no state built on it would be right. */
public final class BrokenLog extends Exception {
  private static final long serialVersionUID = 1;

  BrokenLog(String message) {
    super(message);
  }

  BrokenLog(String message, Throwable cause) {
    super(message, cause);
  }
}
