// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * Which record of a burst goes where: each rank writes in turn one into the file that all share,
 * where the ranks' records alternate, and one into a file of its own.
 */
final class Checkpoint {
  static final String SHARED = "checkpoint";

  /** The place of a record. */
  record Spot(String file, long offset) {}

  private Checkpoint() {}

  /** The file that only this rank writes. */
  static String ownFile(int rank) {
    return "rank-" + rank;
  }

  static Spot spot(int rank, int number) {
    long turn = number / 2;
    return number % 2 == 0
        ? new Spot(SHARED, (turn * DemoPlan.RANKS + rank) * BurstPattern.RECORD_BYTES)
        : new Spot(ownFile(rank), turn * BurstPattern.RECORD_BYTES);
  }

  static List<String> files() {
    List<String> files = new ArrayList<>();
    files.add(SHARED);
    for (int rank = 0; rank < DemoPlan.RANKS; rank++) files.add(ownFile(rank));
    return files;
  }
}
