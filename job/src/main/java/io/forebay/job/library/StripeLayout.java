// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;

/**
 * How the bytes of a file are spread over servers, in DataWarp's words.
 *
 * @param sizeBytes the bytes that go to one server before the next one's turn
 * @param width the number of servers that a file may use
 * @param start the first server of a file; always 0, since each file begins at another one
 */
record StripeLayout(int sizeBytes, int width, int start) {
  /**
   * That of an instance.
   *
   * @param pieceBytes the maximum size of a record, which is what other placements than stripes
   *     spread
   */
  static StripeLayout of(Instance instance, int pieceBytes) {
    PlacementSpec spec = instance.placement();
    int seats = Math.max(1, instance.seats().size());
    return switch (spec.kind()) {
      case STRIPES -> {
        int width = spec.stripeWidth() == 0 ? seats : Math.min(spec.stripeWidth(), seats);
        yield new StripeLayout((int) Math.min(spec.stripeBytes(), Integer.MAX_VALUE), width, 0);
      }
      case ISOLATED -> new StripeLayout(pieceBytes, 1, 0);
      case KETAMA -> new StripeLayout(pieceBytes, seats, 0);
    };
  }

  String text() {
    return "%d %d %d\n".formatted(sizeBytes, width, start);
  }
}
