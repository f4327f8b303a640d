// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

/**
 * How much of an instance one user may have.
 *
 * @param sessions of a user that live; those of the owner and root are not counted
 * @param trees private trees that a user begins at a home; the same
 * @param openFiles files that one session of any user has open
 */
public record UserBounds(int sessions, int trees, int openFiles) {
  public static final UserBounds DEFAULT =
      new UserBounds(
          Math.toIntExact(Limit.SESSIONS_PER_USER.value()),
          Math.toIntExact(Limit.TREES_PER_USER.value()),
          Math.toIntExact(Limit.OPEN_FILES.value()));

  public UserBounds {
    if (sessions < 1 || trees < 1 || openFiles < 1) {
      throw new IllegalArgumentException("a bound below 1");
    }
  }
}
