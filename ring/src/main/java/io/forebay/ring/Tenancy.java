// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

/**
 * Which users an instance admits, and until when it exists.
 *
 * @param expiresSeconds since 1970; it ends then by itself. 0 for never
 * @param root what root of a client machine is on it
 * @param accessEpoch raised when all capabilities are revoked: those of earlier ones count no more
 */
public record Tenancy(Permit permit, long expiresSeconds, Root root, int accessEpoch) {
  /** Which users may use an instance, besides root. */
  public enum Permit {
    /** Only its owner. */
    OWNER,
    /** All members of its owner's group. */
    GROUP,
    EVERYONE
  }

  /**
   * What root of a client machine is on an instance. Operators, and root if it owns the instance,
   * are root on all of them.
   */
  public enum Root {
    /** A user without any rights of its own. */
    SQUASH,
    /** Root. */
    ALLOW
  }

  /** For every user, without an end. */
  public static final Tenancy OPEN = new Tenancy(Permit.EVERYONE, 0);

  /** For the owner only, without an end. */
  public static final Tenancy OWN = new Tenancy(Permit.OWNER, 0);

  public Tenancy {
    if (expiresSeconds < 0) throw new IllegalArgumentException("expires at " + expiresSeconds);
    if (accessEpoch < 0) throw new IllegalArgumentException("access epoch " + accessEpoch);
  }

  /** Without rights for root of client machines, in the first access epoch. */
  public Tenancy(Permit permit, long expiresSeconds) {
    this(permit, expiresSeconds, Root.SQUASH, 0);
  }

  public Tenancy withPermit(Permit other) {
    return new Tenancy(other, expiresSeconds, root, accessEpoch);
  }

  public Tenancy until(long seconds) {
    return new Tenancy(permit, seconds, root, accessEpoch);
  }

  public Tenancy withRoot(Root other) {
    return new Tenancy(permit, expiresSeconds, other, accessEpoch);
  }

  /** The same in the next access epoch. */
  public Tenancy revoked() {
    return new Tenancy(permit, expiresSeconds, root, Math.addExact(accessEpoch, 1));
  }
}
