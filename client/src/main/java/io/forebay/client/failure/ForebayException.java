// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.failure;

import io.forebay.wire.message.ErrorCode;
import java.io.IOException;

/** Errors that only a cluster can report: a seat is unreachable, a session has ended. */
public class ForebayException extends IOException {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;

  public ForebayException(ErrorCode code, String detail) {
    super(detail);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }
}
