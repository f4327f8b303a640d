// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/**
 * Who takes part in draining a file.
 *
 * @param holders who may be given domains
 * @param sources which group has the bytes of which source
 * @param first who comes first where it makes no difference; should differ from file to file, so
 *     that small files do not all go to the same holder
 */
public record Participants(Holders holders, SourceGroups sources, int first) {
  public Participants {
    first = Math.floorMod(first, holders.count());
  }
}
