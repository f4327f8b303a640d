// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/**
 * The participants in the drain of a file.
 *
 * @param holders the seats that may get domains
 * @param sources which group has the bytes of which source
 * @param first the holder that comes first among equals; should differ from file to file, so that
 *     small files do not all go to the same holder
 */
public record Participants(Holders holders, SourceGroups sources, int first) {
  public Participants {
    first = Math.floorMod(first, holders.count());
  }
}
