// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/** A store could not carry out a request. */
public final class BackingException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient BackingFailure failure;

  public BackingException(BackingFailure failure) {
    super(failure.sentence());
    this.failure = failure;
  }

  public BackingException(BackingFailure failure, Throwable cause) {
    super(failure.sentence(), cause);
    this.failure = failure;
  }

  public BackingFailure failure() {
    return failure;
  }
}
