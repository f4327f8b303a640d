// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * How an instance is mounted.
 *
 * @param timeout a request that has not succeeded by then fails
 * @param user who is the one that acts, whoever asks; the one who asks if empty
 * @param group the same for the group
 * @param evenIfFull whether the directory may have something in it
 * @param extras whether extra attributes can be used; without them small writes are faster
 * @param sharedLocks whether advisory locks hold between all mounts of the instance, not in this
 *     one alone
 * @param process which process ends with the mount, so that others can wait for it; 0 for none
 * @param options for mount(8), such as {@code nosuid}
 */
public record MountSettings(
    CacheMode cache,
    boolean readOnly,
    boolean allowOther,
    OptionalInt user,
    OptionalInt group,
    Duration timeout,
    boolean evenIfFull,
    boolean extras,
    boolean sharedLocks,
    long process,
    List<String> options) {
  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);

  public MountSettings {
    options = List.copyOf(options);
    if (timeout.isNegative() || timeout.isZero()) throw new IllegalArgumentException("timeout");
  }

  /** Through the page cache, for who mounts it, on behalf of who asks. */
  public static MountSettings defaults() {
    return new MountOptions().settings();
  }

  public MountSettings withCache(CacheMode mode) {
    return new MountSettings(
        mode,
        readOnly,
        allowOther,
        user,
        group,
        timeout,
        evenIfFull,
        extras,
        sharedLocks,
        process,
        options);
  }

  public MountSettings withTimeout(Duration longest) {
    return new MountSettings(
        cache,
        readOnly,
        allowOther,
        user,
        group,
        longest,
        evenIfFull,
        extras,
        sharedLocks,
        process,
        options);
  }
}
