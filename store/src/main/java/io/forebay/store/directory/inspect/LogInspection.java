// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory.inspect;

import io.forebay.base.FileId;
import io.forebay.store.log.LogId;
import io.forebay.store.log.Stream;
import io.forebay.store.recovery.Finding;
import io.forebay.store.tier.StoreConfig.Mode;
import java.nio.file.Path;
import java.util.List;

/**
 * The contents and defects of a log that is not open. Read by {@link LogReading}.
 *
 * @param segments in the order of their numbers
 * @param files in the order of their ids
 * @param problems defects
 * @param notes defects in the worse of two copies of a segment
 */
public record LogInspection(
    Identity identity,
    List<Tier> tiers,
    List<Segment> segments,
    List<File> files,
    List<Finding> problems,
    List<Finding> notes) {
  /**
   * The identity of the log.
   *
   * @param memory its directories of memory segments, the preferred one first
   * @param memoryThere whether all of these exist
   * @param sameBoot whether the machine has not been restarted since the log was last open
   * @param anonymous whether memory that died with its process was in use
   * @param lossPending whether an earlier loss of memory was not acknowledged yet
   */
  public record Identity(
      Path directory,
      LogId id,
      Mode mode,
      int segmentBytes,
      List<Path> memory,
      boolean memoryThere,
      boolean sameBoot,
      boolean anonymous,
      boolean lossPending) {
    public Identity {
      memory = List.copyOf(memory);
    }

    /** Whether opening it now would find all that was kept in memory. */
    public boolean memorySurvived() {
      return memoryThere && sameBoot && !anonymous && !lossPending;
    }
  }

  /** The slots of one tier. */
  public record Tier(String name, int slots, int free, long bytes) {}

  /**
   * One segment.
   *
   * @param number 0 if its header is lost
   * @param marks tombstones and clean marks
   * @param filledBytes where its last record ends
   */
  public record Segment(
      long number,
      boolean inMemory,
      boolean onSsd,
      Stream stream,
      int data,
      int journal,
      int marks,
      ByState bytes,
      int filledBytes) {
    public int records() {
      return data + journal + marks;
    }
  }

  /** Bytes of records with their overhead, by state. */
  public record ByState(long live, long clean, long dead, long voided, long damaged) {
    static final ByState NONE = new ByState(0, 0, 0, 0, 0);

    ByState plus(ByState other) {
      return new ByState(
          live + other.live,
          clean + other.clean,
          dead + other.dead,
          voided + other.voided,
          damaged + other.damaged);
    }
  }

  /**
   * The data records of one file that count, live or clean.
   *
   * @param bytes of their payloads
   * @param fromOffset the smallest offset one begins at
   * @param toOffset the largest offset one ends at
   * @param damaged the number of further records whose bytes are damaged
   */
  public record File(
      FileId file, long records, long bytes, long fromOffset, long toOffset, long damaged) {}

  public LogInspection {
    tiers = List.copyOf(tiers);
    segments = List.copyOf(segments);
    files = List.copyOf(files);
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  public boolean sound() {
    return problems.isEmpty();
  }

  /** Bytes of all slots. */
  public long bytes() {
    return tiers.stream().mapToLong(Tier::bytes).sum();
  }

  public long records() {
    return segments.stream().mapToLong(Segment::records).sum();
  }

  public ByState recordBytes() {
    return segments.stream().map(Segment::bytes).reduce(ByState.NONE, ByState::plus);
  }
}
