// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;

/** Why a request failed: a code for programs and a sentence for people. */
public final class RequestFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;

  /** Without a stack trace: it would show the loop, never the caller. */
  public RequestFailed(ErrorCode code, String detail) {
    super(detail, null, false, false);
    this.code = code;
  }

  static RequestFailed of(Replies.Failed failed) {
    return new RequestFailed(failed.code(), failed.detail());
  }

  /** No answer came in time. */
  public static RequestFailed givenUp(String why, long afterNanos) {
    return new RequestFailed(
        ErrorCode.UNAVAILABLE,
        "%s; given up after %.1f s; look at 'forebay status'".formatted(why, afterNanos / 1e9));
  }

  public ErrorCode code() {
    return code;
  }

  /** The failure inside the wrapping that futures add. */
  public static RequestFailed from(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof RequestFailed)) {
      if (cause.getCause() == null) {
        return new RequestFailed(ErrorCode.FAILED, "the client itself is broken: " + cause);
      }
      cause = cause.getCause();
    }
    return (RequestFailed) cause;
  }
}
