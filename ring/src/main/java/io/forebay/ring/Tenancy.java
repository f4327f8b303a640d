// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

/**
 * Which users an instance admits, and until when it exists.
 *
 * @param expiresSeconds since 1970; it ends then by itself. 0 for never
 */
public record Tenancy(Permit permit, long expiresSeconds) {
  /** Which users may use an instance, besides root. */
  public enum Permit {
    /** Only its owner. */
    OWNER,
    /** All members of its owner's group. */
    GROUP,
    EVERYONE
  }

  /** For every user, without an end. */
  public static final Tenancy OPEN = new Tenancy(Permit.EVERYONE, 0);

  /** For the owner only, without an end. */
  public static final Tenancy OWN = new Tenancy(Permit.OWNER, 0);

  public Tenancy {
    if (expiresSeconds < 0) throw new IllegalArgumentException("expires at " + expiresSeconds);
  }

  public Tenancy withPermit(Permit other) {
    return new Tenancy(other, expiresSeconds);
  }

  public Tenancy until(long seconds) {
    return new Tenancy(permit, seconds);
  }
}
