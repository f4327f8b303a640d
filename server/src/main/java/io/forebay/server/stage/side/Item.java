// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import java.time.Instant;

/**
 * An entry of a directory.
 *
 * @param mode the permission bits
 * @param links how many names it has
 */
public record Item(String name, Kind kind, long sizeBytes, Instant modified, int mode, int links) {
  public enum Kind {
    FILE,
    DIRECTORY,
    SYMLINK,
    /** A device, a pipe or a socket. */
    OTHER
  }

  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int NANOS_PER_MICRO = 1000;

  /** The same by another name. */
  public Item withName(String other) {
    return new Item(other, kind, sizeBytes, modified, mode, links);
  }

  /** Whether it is still as it was found. */
  public boolean unchanged(Item found) {
    return kind == found.kind && sizeBytes == found.sizeBytes && modified.equals(found.modified);
  }

  /** Whether it is a copy of another file, judged by size and modification time. */
  public boolean isCopyOf(Item source) {
    return kind == Kind.FILE
        && source.kind == Kind.FILE
        && sizeBytes == source.sizeBytes
        && isTimeOf(source.modified);
  }

  /** File systems keep times to the nanosecond, the microsecond or the second. */
  private boolean isTimeOf(Instant source) {
    if (modified.getEpochSecond() != source.getEpochSecond()) return false;
    int kept = modified.getNano();
    int nanos = source.getNano();
    int unit = kept == 0 ? NANOS_PER_SECOND : kept % NANOS_PER_MICRO == 0 ? NANOS_PER_MICRO : 1;
    return kept == nanos / unit * unit;
  }
}
