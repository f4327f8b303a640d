// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.geos5.output.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The paper's findings, and whether they hold here, in sentences. */
final class Geos5Verdicts {
  /** The rate of the slow profile. */
  private static final double SLOW_BYTES_PER_SECOND = 200_000_000;

  private static final double MIB_BYTES = 1 << 20;

  private Geos5Verdicts() {}

  static List<String> of(Geos5Case given) {
    List<String> sentences = new ArrayList<>();
    String where = "%s, %d ranks: ".formatted(given.store().word(), given.ranks());
    given
        .fastest(Way.BPS, Way.LPS, Way.IPS, Way.AUTO)
        .ifPresent(
            best ->
                sentences.add(
                    where
                        + "%s is the fastest of our ways with %s x GEOS5-NetCDF (paper: 2.1 x on average)."
                            .formatted(best.word(), ratio(given, best))));
    if (given.store() == Geos5Store.SLOW) {
      double most = SLOW_BYTES_PER_SECOND / MIB_BYTES / given.rate(Way.GEOS5_NETCDF).median();
      sentences.add(
          where
              + String.format(
                  Locale.ROOT,
                  "at 200 MB/s for all writers no way can have more than %.2f x GEOS5-NetCDF.",
                  most));
    }
    return sentences;
  }

  private static String ratio(Geos5Case given, Way way) {
    return String.format(
        Locale.ROOT, "%.2f", given.rate(way).median() / given.rate(Way.GEOS5_NETCDF).median());
  }
}
