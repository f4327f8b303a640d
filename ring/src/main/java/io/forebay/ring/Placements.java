// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

/** The placement of an instance. Created for each map; immutable; any thread. */
public final class Placements {
  private Placements() {}

  /**
   * The placement of new records.
   *
   * @param clientNumber tells clients apart where each gets a seat of its own; a count of them,
   *     beginning anywhere, so that they are spread evenly
   */
  public static Placement of(Instance instance, RingMap map, long clientNumber) {
    Candidates candidates = Candidates.of(instance, map);
    PlacementSpec spec = instance.placement();
    return switch (spec.kind()) {
      case KETAMA -> new KetamaPlacement(candidates, spec.stripeBytes());
      case ISOLATED -> new IsolatedPlacement(candidates, clientNumber);
      case STRIPES -> new StripesPlacement(candidates, spec.stripeBytes(), spec.stripeWidth());
    };
  }
}
