// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.retry;

import io.forebay.wire.message.ErrorCode;

/** What a refusal means for the next try of a request that only one server can answer. */
public enum Refusal {
  /** The server is not, or not yet, what the client's map says: a newer map is needed. */
  MAP_IS_OLD,
  /** The server cannot answer now. */
  LATER,
  /**
   * The server knows no such instance. A seat may learn of a new instance later than its first
   * client does, so this is final only if the client's map has no such instance either.
   */
  INSTANCE_UNKNOWN,
  /** Another try would be refused as well. */
  FINAL;

  /** What a refusal with that code means. */
  public static Refusal of(ErrorCode code) {
    return switch (code) {
      case STALE_EPOCH, NOT_HOME -> MAP_IS_OLD;
      case UNAVAILABLE, BUSY -> LATER;
      case UNKNOWN_INSTANCE -> INSTANCE_UNKNOWN;
      default -> FINAL;
    };
  }

  /** Whether a newer map may change the answer. */
  public boolean wantsMap() {
    return this == MAP_IS_OLD || this == INSTANCE_UNKNOWN;
  }

  /**
   * Whether the request is sent again.
   *
   * @param instanceKnown whether the client's map has the instance that is asked about
   */
  public boolean allowsRetry(boolean instanceKnown) {
    return switch (this) {
      case MAP_IS_OLD, LATER -> true;
      case INSTANCE_UNKNOWN -> instanceKnown;
      case FINAL -> false;
    };
  }
}
