// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/** What is done about ranges of a file that nobody wrote. */
public enum Holes {
  /** They are written as zeros: the store takes a file only whole. */
  ZEROS,
  /** Large ones are left out, small ones written as zeros: the store reads a gap as zeros. */
  SPARSE,
  /** None is written: the store has a file already, whose bytes there stay. */
  KEEP
}
