// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

/**
 * How an instance's records choose their group.
 *
 * @param stripeBytes the unit of stripes
 * @param stripeWidth over how many seats a file is striped; 0 for all
 */
public record PlacementSpec(Kind kind, long stripeBytes, int stripeWidth) {
  public enum Kind {
    KETAMA,
    ISOLATED,
    STRIPES
  }

  public static final long STRIPE_BYTES_DEFAULT = 8L * 1024 * 1024;

  public PlacementSpec {
    if (stripeBytes < 1) throw new IllegalArgumentException("stripes of " + stripeBytes + " bytes");
    if (stripeWidth < 0) throw new IllegalArgumentException("stripe width " + stripeWidth);
  }
}
