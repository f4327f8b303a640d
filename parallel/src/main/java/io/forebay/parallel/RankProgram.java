// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.io.IOException;

/** The program of every rank. */
@FunctionalInterface
public interface RankProgram {
  /**
   * Runs one rank.
   *
   * @param world all ranks of the program, seen from this one
   */
  void run(Group world) throws IOException;
}
