// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import org.jspecify.annotations.Nullable;

/** What clients write to a group, for write protection and accounting. */
public interface WriteCounting {
  /** A record of an instance was taken. */
  void wrote(int instance, long bytes);

  /** Why nothing more is taken of an instance at present, as a sentence, or null. */
  @Nullable String refusal(int instance);
}
