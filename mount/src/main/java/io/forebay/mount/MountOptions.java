// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.host.HostName;
import io.forebay.wire.message.Identity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The options of a mount as text, parsed one after the other; later ones win. Invalid options are
 * refused with an {@link IllegalArgumentException} whose message is a sentence. One owner.
 */
public final class MountOptions {
  private static final int TIMEOUT_SECONDS_MAX = 24 * 60 * 60;

  /** Options that the kernel handles. */
  private static final Set<String> KERNELS =
      Set.of(
          "suid",
          "nosuid",
          "dev",
          "nodev",
          "exec",
          "noexec",
          "sync",
          "async",
          "dirsync",
          "atime",
          "noatime",
          "nodiratime");

  /** Options that only concern mount(8), fstab and the start of the machine. */
  private static final Set<String> OTHERS =
      Set.of(
          "defaults",
          "auto",
          "noauto",
          "nofail",
          "_netdev",
          "user",
          "nouser",
          "users",
          "owner",
          "group",
          "relatime",
          "norelatime",
          "strictatime",
          "diratime",
          "comment");

  private CacheMode cache = CacheMode.AUTO;
  private boolean readOnly;
  private boolean allowOther;
  private OptionalInt user = OptionalInt.empty();
  private OptionalInt group = OptionalInt.empty();
  private Duration timeout = MountSettings.TIMEOUT_DEFAULT;
  private boolean evenIfFull;
  private boolean extras = true;
  private boolean sharedLocks = true;
  private long process;
  private String node = "";
  private boolean privateTree;
  private Optional<Identity> mountUser = Optional.empty();
  private boolean profile = true;
  private Optional<Path> profiles = Optional.empty();
  private final List<String> kernels = new ArrayList<>();

  /** Parses the argument of {@code -o}. */
  public MountOptions addAll(String list) {
    for (String option : list.split(",", -1)) if (!option.isBlank()) add(option.strip());
    return this;
  }

  private void add(String option) {
    int equals = option.indexOf('=');
    String name = equals < 0 ? option : option.substring(0, equals);
    if (equals >= 0) {
      addValue(name, option.substring(equals + 1));
      return;
    }
    switch (name) {
      case "ro" -> readOnly = true;
      case "rw" -> readOnly = false;
      case "allow_other" -> allowOther = true;
      case "nonempty" -> evenIfFull = true;
      case "noxattr" -> extras = false;
      case "private" -> privateTree();
      default -> {
        if (KERNELS.contains(name)) kernels.add(name);
        else if (!OTHERS.contains(name) && !name.startsWith("x-")) throw unknown(option);
      }
    }
  }

  private void addValue(String name, String value) {
    switch (name) {
      case "cache" -> cache(CacheMode.parse(value));
      case "uid" -> user(number(name, value));
      case "gid" -> group(number(name, value));
      case "timeout" -> timeout(seconds(value));
      case "locks" -> locks(value);
      case "node" -> node(value);
      case "mount-user" -> mountUser(value);
      case "profile" -> profile(value);
      default -> {
        if (!name.startsWith("x-") && !name.equals("comment")) throw unknown(name + "=" + value);
      }
    }
  }

  private static IllegalArgumentException unknown(String option) {
    return new IllegalArgumentException(
        "'-o "
            + option
            + "' is unknown here; there are ro, rw, allow_other, nonempty, noxattr, private, cache=,"
            + " uid=, gid=, timeout=, locks=, node=, mount-user=, profile= and what mount(8) has for all file"
            + " systems");
  }

  private static int number(String name, String value) {
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number, and is '" + value + "'", e);
    }
    return notNegative(name, number);
  }

  private static int notNegative(String name, int number) {
    if (number >= 0) return number;
    throw new IllegalArgumentException(name + " must not be negative, and is '" + number + "'");
  }

  private static Duration seconds(String value) {
    int seconds = number("timeout", value.endsWith("s") ? value.replaceFirst("s$", "") : value);
    if (seconds < 1 || seconds > TIMEOUT_SECONDS_MAX) {
      throw new IllegalArgumentException(
          "timeout must be from 1 to " + TIMEOUT_SECONDS_MAX + " seconds, and is '" + value + "'");
    }
    return Duration.ofSeconds(seconds);
  }

  public MountOptions cache(CacheMode mode) {
    cache = mode;
    return this;
  }

  /** Takes {@code shared}, for locks that hold between all mounts, or {@code local}. */
  public MountOptions locks(String where) {
    sharedLocks =
        switch (where) {
          case "shared" -> true;
          case "local" -> false;
          default ->
              throw new IllegalArgumentException(
                  "locks can be shared or local, and not '" + where + "'");
        };
    return this;
  }

  public MountOptions readOnly() {
    readOnly = true;
    return this;
  }

  public MountOptions allowOther() {
    allowOther = true;
    return this;
  }

  public MountOptions user(int number) {
    user = OptionalInt.of(notNegative("uid", number));
    return this;
  }

  public MountOptions group(int number) {
    group = OptionalInt.of(notNegative("gid", number));
    return this;
  }

  public MountOptions timeout(Duration longest) {
    timeout = longest;
    return this;
  }

  /** The process that ends with the mount. */
  public MountOptions process(long number) {
    process = number;
    return this;
  }

  /** The node whose private tree is mounted. */
  public MountOptions node(String name) {
    if (name.isBlank()) throw new IllegalArgumentException("node must be the name of a node");
    HostName.requireNode(name);
    node = name;
    return this;
  }

  /** The user of what the mount does by itself, such as {@code 1000:100}. */
  public MountOptions mountUser(String userAndGroup) {
    try {
      int colon = userAndGroup.indexOf(':');
      int number = Integer.parseUnsignedInt(userAndGroup.substring(0, Math.max(0, colon)));
      int first = Integer.parseUnsignedInt(userAndGroup.substring(colon + 1));
      mountUser = Optional.of(new Identity(number, List.of(first)));
      return this;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "mount-user must be a user and a group such as 1000:100, and is '" + userAndGroup + "'",
          e);
    }
  }

  /** Takes {@code on} or {@code off}: whether to count what programs do. */
  public MountOptions profile(String word) {
    profile =
        switch (word) {
          case "on" -> true;
          case "off" -> false;
          default ->
              throw new IllegalArgumentException(
                  "profile can be on or off, and not '" + word + "'");
        };
    return this;
  }

  /** The folder that keeps what programs did; without one nothing is counted. */
  public MountOptions profiles(Path folder) {
    profiles = Optional.of(folder);
    return this;
  }

  /** The private tree of the node is mounted, where there is one for all nodes too. */
  public MountOptions privateTree() {
    privateTree = true;
    return this;
  }

  public MountSettings settings() {
    return new MountSettings(
        cache,
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
        profile ? profiles : Optional.empty(),
        kernels);
  }
}
