// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.Rate;
import io.forebay.bench.Samples;
import io.forebay.bench.geos5.output.Way;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The times of every way, by one number of ranks to one store.
 *
 * @param ranks how many
 * @param bytes what each trial writes
 */
record Geos5Case(int ranks, Geos5Store store, long bytes, Map<Way, List<TrialTimes>> measured) {
  String name(Way way) {
    return "%s %d ranks %s".formatted(store.word(), ranks, way.word());
  }

  int steps() {
    return of(Way.GEOS5_NETCDF).getFirst().steps().size();
  }

  boolean has(Way way) {
    return measured.containsKey(way);
  }

  List<TrialTimes> of(Way way) {
    List<TrialTimes> all = measured.get(way);
    if (all == null) throw new IllegalArgumentException(way.word() + " was not measured");
    return all;
  }

  Samples rate(Way way) {
    return Samples.of(of(way), each -> Rate.mibPerSecond(bytes, each.totalNanos()));
  }

  /** The same without setup and the first step. */
  Samples laterRate(Way way) {
    long later = bytes / steps() * (steps() - 1);
    return Samples.of(of(way), each -> Rate.mibPerSecond(later, each.laterNanos()));
  }

  /** The fastest of some ways, as far as they were measured. */
  Optional<Way> fastest(Way... ways) {
    return Stream.of(ways)
        .filter(this::has)
        .max(Comparator.comparingDouble(way -> rate(way).median()));
  }
}
