// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.ArrayList;
import java.util.List;

/**
 * Spreads the stripes of all files over the seats by consistent hashing, in the published Ketama
 * scheme.
 *
 * <p>With its 160 points per seat, shares typically deviate by 7 % of the mean, and by more than 10
 * % for one set of eight names in twelve. The names are free to choose, so a seat is named by its
 * number and, where the circle is too uneven, by an added round: the first round that is even
 * enough counts. All holders of the map choose the same one.
 */
final class KetamaPlacement implements Placement {
  /** How uneven a circle may be; with many seats nearly every one is less. */
  static final double DEVIATION_AIM = 0.085;

  static final int ROUNDS_MAX = 16;

  private final Candidates candidates;
  private final long unitBytes;
  private final Continuum continuum;

  KetamaPlacement(Candidates candidates, long unitBytes) {
    this.candidates = candidates;
    this.unitBytes = unitBytes;
    this.continuum = balanced(candidates);
  }

  @Override
  public GroupId choose(long fileNumber, long offset, int attempt) {
    long hash = Continuum.hash(key(fileNumber, offset / unitBytes));
    if (attempt == 0) {
      return candidates.group(continuum.owner(continuum.find(hash)).seat());
    }
    List<SeatId> order = new ArrayList<>(continuum.walk(hash));
    // A seat of little weight may have no point, but it can still stand in for others.
    for (SeatEntry seat : candidates.seats()) {
      if (!order.contains(seat.id())) order.add(seat.id());
    }
    return candidates.group(candidates.alternate(order, attempt));
  }

  private static Continuum balanced(Candidates candidates) {
    Continuum best = null;
    double least = Double.POSITIVE_INFINITY;
    for (int round = 0; round < ROUNDS_MAX && least > DEVIATION_AIM; round++) {
      List<Continuum.Node> nodes = new ArrayList<>();
      for (SeatEntry seat : candidates.seats()) {
        nodes.add(new Continuum.Node(seat.id(), name(seat.id(), round), candidates.weight(seat)));
      }
      Continuum drawn = new Continuum(nodes);
      double deviation = drawn.deviation();
      if (best == null || deviation < least) {
        best = drawn;
        least = deviation;
      }
    }
    if (best == null) throw new IllegalStateException("no continuum was drawn");
    return best;
  }

  double deviation() {
    return continuum.deviation();
  }

  /** What a seat is called on the circle. */
  static String name(SeatId seat, int round) {
    return round == 0 ? "seat " + seat.number() : "seat " + seat.number() + "/" + round;
  }

  private static String key(long fileNumber, long unit) {
    return Long.toUnsignedString(fileNumber) + "/" + unit;
  }
}
