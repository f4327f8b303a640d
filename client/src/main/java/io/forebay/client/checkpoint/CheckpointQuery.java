// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.checkpoint;

import io.forebay.base.series.SeriesPattern;
import java.util.List;

/**
 * Which checkpoints to look for, and how thoroughly to check them. Start with {@link #in}.
 *
 * @param path the directory of the checkpoints
 * @param series the pattern of their names, such as {@code ckpt-*.nc}; empty to detect series
 * @param files how many files a complete checkpoint has; 0 if unknown: then the newest is
 *     incomplete while it has fewer files than the one before
 * @param left whether a checkpoint counts whose writer ended without closing it: for programs that
 *     publish everything and are killed before they close
 * @param check how to check that the bytes are available
 */
public record CheckpointQuery(String path, String series, int files, boolean left, Check check) {
  /** How to check that bytes are available; each takes longer than the one before. */
  public enum Check {
    /** Servers list the bytes that they have. Undetected damage is not found. */
    HELD,
    /** Servers compare the bytes they have with their checksums. */
    COMPARED,
    /** All bytes are read, those in the backing store too. */
    READ
  }

  /** All checkpoints in a directory. */
  public static CheckpointQuery in(String path) {
    return new CheckpointQuery(path, "", 0, false, Check.COMPARED);
  }

  public CheckpointQuery {
    if (files < 0) throw new IllegalArgumentException("checkpoints of " + files + " files");
    if (!series.isEmpty()) SeriesPattern.parse(series);
    if (series.contains("/")) {
      throw new IllegalArgumentException(
          "'%s' has a path in it; give the directory apart from the names".formatted(series));
    }
  }

  /**
   * The same for names of a pattern.
   *
   * @throws IllegalArgumentException if it describes no series; says why
   */
  public CheckpointQuery withSeries(String pattern) {
    return new CheckpointQuery(path, pattern, files, left, check);
  }

  public CheckpointQuery withFiles(int number) {
    return new CheckpointQuery(path, series, number, left, check);
  }

  public CheckpointQuery withLeft(boolean whether) {
    return new CheckpointQuery(path, series, files, whether, check);
  }

  public CheckpointQuery withCheck(Check other) {
    return new CheckpointQuery(path, series, files, left, other);
  }

  List<SeriesPattern> patterns() {
    return series.isEmpty() ? List.of() : List.of(SeriesPattern.parse(series));
  }
}
