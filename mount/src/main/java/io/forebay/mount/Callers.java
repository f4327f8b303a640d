// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.mount.fuse.operation.Caller;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The identity of a request: user and group come with it, the other groups of a thread are in /proc
 * and are cached for a moment. Any thread.
 */
final class Callers {
  private static final long MEMORY_NANOS = 1_000_000_000L;
  private static final int REMEMBERED_MAX = 1024;

  private record Known(Identity identity, long sinceNanos) {}

  private final OptionalInt user;
  private final OptionalInt group;
  private final LongSupplier clock;
  private final Map<Caller, Known> remembered = new LinkedHashMap<>();

  Callers(OptionalInt user, OptionalInt group, LongSupplier clock) {
    this.user = user;
    this.group = group;
    this.clock = clock;
  }

  Identity identity(Caller who) {
    if (user.isPresent() || group.isPresent()) {
      int primary = group.orElse(who.group());
      return new Identity(user.orElse(who.user()), List.of(primary));
    }
    // Root needs no groups.
    if (who.user() == Identity.ROOT) return new Identity(who.user(), List.of(who.group()));
    long now = clock.getAsLong();
    synchronized (this) {
      Known known = remembered.get(who);
      if (known != null && now - known.sinceNanos < MEMORY_NANOS) return known.identity;
    }
    Identity found = new Identity(who.user(), groups(who));
    synchronized (this) {
      if (remembered.size() >= REMEMBERED_MAX) remembered.clear();
      remembered.put(who, new Known(found, now));
    }
    return found;
  }

  private static List<Integer> groups(Caller who) {
    Set<Integer> groups = new LinkedHashSet<>();
    groups.add(who.group());
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + who.thread() + "/status"))) {
        if (!line.startsWith("Groups:")) continue;
        for (String number : line.substring("Groups:".length()).strip().split("\\s+", -1)) {
          if (!number.isEmpty()) groups.add(Integer.parseUnsignedInt(number));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // The process is gone, or in another PID namespace: then only its own group counts.
      return List.of(who.group());
    }
    List<Integer> all = new ArrayList<>(groups);
    return all.subList(0, Math.min(all.size(), Identity.GROUPS_MAX));
  }
}
