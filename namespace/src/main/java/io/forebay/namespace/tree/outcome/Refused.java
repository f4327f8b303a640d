// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.outcome;

import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;

/**
 * A refusal, thrown from within a change before anything is changed, and caught where the request
 * is answered. It has no stack trace, for it is an outcome and no fault.
 */
public class Refused extends Exception {
  private static final long serialVersionUID = 1;

  static final int DETAIL_CHARS_MAX = 1000;

  private final ErrorCode code;

  public Refused(ErrorCode code, String detail) {
    super(cut(detail), null, false, false);
    this.code = code;
  }

  /**
   * Details quote what clients sent. Answers are remembered and written into snapshots, whose items
   * are bounded, so details are cut.
   */
  private static String cut(String detail) {
    if (detail.length() <= DETAIL_CHARS_MAX) return detail;
    int end = DETAIL_CHARS_MAX;
    if (Character.isHighSurrogate(detail.charAt(end - 1))) end--;
    return detail.substring(0, end) + "…";
  }

  ErrorCode code() {
    return code;
  }

  public Replies.Failed reply() {
    String detail = getMessage();
    return new Replies.Failed(code, detail == null ? "" : detail);
  }
}
