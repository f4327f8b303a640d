package io.forebay.drain.plan;

import java.util.List;

/**
 * Who takes part in draining a file.
 *
 * @param holders who may be given domains; a small file is planned faster with few, such as those
 *     that have bytes of it
 * @param sources which group has the bytes of which source
 * @param first who comes first where it makes no difference; should differ from file to file, so
 *     that small files do not all go to the same holder
 */
public record Participants(List<Holder> holders, SourceGroups sources, int first) {
  /** More seats than this do not share one file. */
  public static final int HOLDERS_MAX = 4096;

  public Participants {
    holders = List.copyOf(holders);
    if (holders.isEmpty() || holders.size() > HOLDERS_MAX) {
      throw new IllegalArgumentException(
          holders.size() + " holders; there must be 1 to " + HOLDERS_MAX);
    }
    first = Math.floorMod(first, holders.size());
  }
}
