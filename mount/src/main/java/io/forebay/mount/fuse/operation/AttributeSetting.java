// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which attributes are to change; null for those that stay. */
public record AttributeSetting(
    @Nullable Integer mode,
    @Nullable Integer user,
    @Nullable Integer group,
    @Nullable Long sizeBytes,
    @Nullable Time accessTime,
    @Nullable Time modifyTime) {
  /** A time, or the present one. */
  public record Time(@Nullable Instant instant) {
    public static final Time NOW = new Time(null);
  }
}
