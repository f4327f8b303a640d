// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import org.jspecify.annotations.Nullable;

/** What the engine's failures say, in few words. Any thread. */
final class Reasons {
  private static final int CAUSES_MAX = 10;

  private Reasons() {}

  /** The innermost message. */
  static String of(@Nullable Throwable failure) {
    if (failure == null) return "no reason is known";
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAX && cause.getCause() != null; i++) cause = cause.getCause();
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }
}
