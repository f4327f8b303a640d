// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.checkpoint;

import io.forebay.base.series.SeriesPattern;
import java.util.List;

/**
 * Which checkpoints are looked for, and how closely they are looked at; begin with {@link #in}.
 *
 * @param path the directory in which they are
 * @param series the pattern of their names, such as {@code ckpt-*.nc}; empty to find series by
 *     themselves
 * @param files how many files a complete one has; 0 if nobody knows: then the newest is not
 *     complete as long as it has fewer than the one before
 * @param left whether one counts that somebody left without closing it: for programs that publish
 *     everything and are killed before they close it
 * @param check how it is made sure that the bytes are there
 */
public record CheckpointQuery(String path, String series, int files, boolean left, Check check) {
  /** How it is made sure that bytes are there; each takes longer than the one before. */
  public enum Check {
    /** Servers say which bytes they have; damage that nobody has noticed is not found. */
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
