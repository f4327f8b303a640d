package io.forebay.namespace.tree;

import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;

/**
 * A refusal on its way from deep inside a change to the one place that answers. It is thrown before
 * anything is changed. It has no stack, for it is an outcome and no fault.
 */
class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;

  Refused(ErrorCode code, String detail) {
    super(detail, null, false, false);
    this.code = code;
  }

  ErrorCode code() {
    return code;
  }

  Replies.Failed reply() {
    String detail = getMessage();
    return new Replies.Failed(code, detail == null ? "" : detail);
  }
}
