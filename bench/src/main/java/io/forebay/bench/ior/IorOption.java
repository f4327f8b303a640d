// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

/** What a run does and how, by IOR's letters. */
public enum IorOption {
  /** {@code -w}. */
  WRITE,

  /** {@code -r}. */
  READ,

  /** {@code -W}: what was written is read and compared, outside of what is timed. */
  CHECK_WRITE,

  /** {@code -R}: what was read is read once more and compared, outside of what is timed. */
  CHECK_READ,

  /** {@code -C}: each task reads what the next one wrote. */
  REORDER,

  /** {@code -e}: forced before the file is closed. */
  FSYNC,

  /** {@code -Y}: forced after each write. */
  FSYNC_PER_WRITE,

  /** {@code -g}: all wait for each other between opening, moving and closing. */
  BARRIERS,

  /** {@code -k}: the files stay. */
  KEEP,

  /** {@code -E}: files that are there already are written over. */
  EXISTING
}
