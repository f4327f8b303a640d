// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

/** The options of a run, by IOR's letters. */
public enum IorOption {
  /** {@code -w}. */
  WRITE,

  /** {@code -r}. */
  READ,

  /** {@code -W}: written data is read and compared; not timed. */
  CHECK_WRITE,

  /** {@code -R}: read data is read again and compared; not timed. */
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

  /** {@code -E}: existing files are overwritten. */
  EXISTING
}
