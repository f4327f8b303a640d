// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/** How holes of a file are written. */
public enum Holes {
  /** They are written as zeros: the store takes a file only whole. */
  ZEROS,
  /** Large holes are left out, small ones written as zeros: the store reads gaps as zeros. */
  SPARSE,
  /** Holes are not written: the store already has a file, and its bytes stay. */
  KEEP
}
