// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import java.util.List;

/** The user and groups of a request: numbers of the operating system. */
public record Identity(int user, List<Integer> groups) {
  public static final int GROUPS_MAX = 1024;
  public static final int ROOT = 0;

  /** The user that systems give to root of other machines. */
  public static final int NOBODY = 65534;

  public Identity {
    groups = List.copyOf(groups);
    if (groups.size() > GROUPS_MAX) {
      throw new IllegalArgumentException("a user in " + groups.size() + " groups");
    }
  }

  public static Identity root() {
    return new Identity(ROOT, List.of(ROOT));
  }

  /** A user without any rights of its own: what root of other machines is. */
  public static Identity nobody() {
    return new Identity(NOBODY, List.of());
  }

  public boolean isRoot() {
    return user == ROOT;
  }

  /** The group new files get. */
  public int primaryGroup() {
    return groups.isEmpty() ? user : groups.get(0);
  }
}
