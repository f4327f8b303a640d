// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.wire.message.Identity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How an instance is mounted.
 *
 * @param timeout the maximum time of a request
 * @param user the user of all requests; the calling user if empty
 * @param group the same for the group
 * @param evenIfFull whether the directory may be non-empty
 * @param extras whether extra attributes can be used; without them small writes are faster
 * @param sharedLocks whether advisory locks hold between all mounts of the instance, not only in
 *     this one
 * @param process the process that ends with the mount, so that others can wait for it; 0 for none
 * @param node the node whose private tree is mounted; empty for this machine's
 * @param privateTree whether the private tree of the node is mounted, where there is one for all
 *     too
 * @param mountUser the user of what the mount does by itself; the user of the process if empty
 * @param profiles the folder that keeps what programs did; empty to count nothing
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
    String node,
    boolean privateTree,
    Optional<Identity> mountUser,
    Optional<Path> profiles,
    List<String> options) {
  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);

  public MountSettings {
    options = List.copyOf(options);
    if (timeout.isNegative() || timeout.isZero()) throw new IllegalArgumentException("timeout");
  }

  /** Through the page cache, for the mounting user, with the identity of the caller; no profile. */
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
        node,
        privateTree,
        mountUser,
        profiles,
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
        node,
        privateTree,
        mountUser,
        profiles,
        options);
  }
}
