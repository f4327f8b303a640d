// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import java.util.List;

/** The user and groups of a request: numbers of the operating system. */
public record Identity(int user, List<Integer> groups) {
  public static final int GROUPS_MAX = 1024;
  public static final int ROOT = 0;

  public Identity {
    groups = List.copyOf(groups);
    if (groups.size() > GROUPS_MAX) {
      throw new IllegalArgumentException("a user in " + groups.size() + " groups");
    }
  }

  public static Identity root() {
    return new Identity(ROOT, List.of(ROOT));
  }

  /** The group new files get. */
  public int primaryGroup() {
    return groups.isEmpty() ? user : groups.get(0);
  }
}
