// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

/** Answers that fit any request. */
public interface Replies {
  record Done() implements Message {}

  /** Not done; the detail is a sentence for people that names the thing. */
  record Failed(ErrorCode code, String detail) implements Message {}
}
