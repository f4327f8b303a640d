// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.verdict;

import io.forebay.netcdf.bundle.file.StoreUse;
import io.forebay.netcdf.bundle.flow.StepTimes;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a step went on one rank, or on several: the failure of the lowest rank that failed, and what
 * was measured.
 *
 * @param code a {@link NetcdfError}'s number; {@link #FINE} if nothing failed
 * @param rank the rank that failed
 */
public record Outcome(int code, int rank, String message, Measures measures) {
  static final int FINE = 0;

  /** Longer texts are cut. */
  private static final int TEXT_BYTES_MAX = 600;

  // Each offset derives from the one before.
  private static final int CODE_AT = 0;
  private static final int RANK_AT = CODE_AT + Long.BYTES;
  private static final int TOTAL_AT = RANK_AT + Long.BYTES;
  private static final int MEMORY_AT = TOTAL_AT + Long.BYTES;
  private static final int CREATE_AT = MEMORY_AT + Long.BYTES;
  private static final int SHUFFLE_AT = CREATE_AT + Long.BYTES;
  private static final int AGGREGATE_AT = SHUFFLE_AT + Long.BYTES;
  private static final int WRITE_AT = AGGREGATE_AT + Long.BYTES;
  private static final int STORE_CREATE_AT = WRITE_AT + Long.BYTES;
  private static final int STORE_BYTES_AT = STORE_CREATE_AT + Long.BYTES;
  private static final int STORE_WRITE_AT = STORE_BYTES_AT + Long.BYTES;
  private static final int STORE_FASTEST_AT = STORE_WRITE_AT + Long.BYTES;
  private static final int LENGTH_AT = STORE_FASTEST_AT + Long.BYTES;
  private static final int TEXT_AT = LENGTH_AT + Long.BYTES;

  /** How long every message is. */
  static final int BYTES = TEXT_AT + TEXT_BYTES_MAX;

  /** The outcome on one rank. */
  public static Outcome of(int rank, @Nullable IOException failure, Measures measures) {
    int code = failure == null ? FINE : codeOf(failure);
    String message = failure == null ? "" : String.valueOf(failure.getMessage());
    return new Outcome(code, rank, message, measures);
  }

  private static int codeOf(IOException e) {
    Throwable cause = e;
    while (cause != null && !(cause instanceof NetcdfException)) cause = cause.getCause();
    return cause instanceof NetcdfException known
        ? known.error().code()
        : NetcdfError.STORAGE.code();
  }

  /** Whether the files are not to get their final names. */
  public boolean isFatal() {
    return code != FINE && code != NetcdfError.OUT_OF_RANGE.code();
  }

  /** What every rank throws; null if nothing failed. */
  public @Nullable NetcdfException failure() {
    if (code == FINE) return null;
    return new NetcdfException(NetcdfError.of(code), "rank " + rank + ": " + message);
  }

  /** The same measures, and what has failed since. */
  public Outcome then(Outcome later) {
    return new Outcome(later.code, later.rank, later.message, measures);
  }

  /** What both have come to. A failure that stops the step counts before one that does not. */
  Outcome merge(Outcome other) {
    Outcome failed = isWorseThan(other) ? this : other;
    return new Outcome(failed.code, failed.rank, failed.message, measures.merge(other.measures));
  }

  private boolean isWorseThan(Outcome other) {
    if (isFatal() != other.isFatal()) return isFatal();
    if ((code == FINE) != (other.code == FINE)) return code != FINE;
    return rank < other.rank;
  }

  void write(MemorySegment memory) {
    StepTimes times = measures.times();
    StoreUse store = measures.store();
    memory.set(ValueLayout.JAVA_LONG, CODE_AT, code);
    memory.set(ValueLayout.JAVA_LONG, RANK_AT, rank);
    memory.set(ValueLayout.JAVA_LONG, TOTAL_AT, measures.totalNanos());
    memory.set(ValueLayout.JAVA_LONG, MEMORY_AT, measures.memoryBytes());
    memory.set(ValueLayout.JAVA_LONG, CREATE_AT, times.createNanos());
    memory.set(ValueLayout.JAVA_LONG, SHUFFLE_AT, times.shuffleNanos());
    memory.set(ValueLayout.JAVA_LONG, AGGREGATE_AT, times.aggregateNanos());
    memory.set(ValueLayout.JAVA_LONG, WRITE_AT, times.writeNanos());
    memory.set(ValueLayout.JAVA_LONG, STORE_CREATE_AT, store.createNanos());
    memory.set(ValueLayout.JAVA_LONG, STORE_BYTES_AT, store.bytes());
    memory.set(ValueLayout.JAVA_LONG, STORE_WRITE_AT, store.writeNanos());
    memory.set(ValueLayout.JAVA_LONG, STORE_FASTEST_AT, store.fastestBytesPerSecond());
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, TEXT_BYTES_MAX);
    memory.set(ValueLayout.JAVA_LONG, LENGTH_AT, length);
    MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, TEXT_AT, length);
  }

  static Outcome read(MemorySegment memory) {
    StepTimes times =
        new StepTimes(
            memory.get(ValueLayout.JAVA_LONG, CREATE_AT),
            memory.get(ValueLayout.JAVA_LONG, SHUFFLE_AT),
            memory.get(ValueLayout.JAVA_LONG, AGGREGATE_AT),
            memory.get(ValueLayout.JAVA_LONG, WRITE_AT));
    StoreUse store =
        new StoreUse(
            memory.get(ValueLayout.JAVA_LONG, STORE_CREATE_AT),
            memory.get(ValueLayout.JAVA_LONG, STORE_BYTES_AT),
            memory.get(ValueLayout.JAVA_LONG, STORE_WRITE_AT),
            memory.get(ValueLayout.JAVA_LONG, STORE_FASTEST_AT));
    Measures measures =
        new Measures(
            memory.get(ValueLayout.JAVA_LONG, TOTAL_AT),
            times,
            store,
            memory.get(ValueLayout.JAVA_LONG, MEMORY_AT));
    byte[] text = new byte[(int) memory.get(ValueLayout.JAVA_LONG, LENGTH_AT)];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, TEXT_AT, text, 0, text.length);
    return new Outcome(
        (int) memory.get(ValueLayout.JAVA_LONG, CODE_AT),
        (int) memory.get(ValueLayout.JAVA_LONG, RANK_AT),
        new String(text, StandardCharsets.UTF_8),
        measures);
  }
}
