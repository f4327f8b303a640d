// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.checkpoint;

import java.time.Instant;
import java.util.List;

/**
 * One checkpoint of a series: the files and directories that share a number.
 *
 * @param series the pattern of its names; {@link CheckpointQuery#withSeries} takes it
 * @param paths its files and directories, as listed in the requested directory
 * @param files how many files it consists of, those in its directories included
 * @param reason why it is not complete, as a sentence; empty if it is
 * @param written when the last of its files was written
 */
public record Checkpoint(
    String series,
    long number,
    List<String> paths,
    int files,
    long bytes,
    State state,
    String reason,
    Place place,
    Instant written) {
  /** Whether a restart can use it. */
  public enum State {
    /** All its writers have closed it, and all its bytes are available. */
    COMPLETE,
    /** A client still writes it. */
    WRITTEN,
    /** The session of a writer ended before the writer closed it. */
    LEFT,
    /** It has no bytes at all. */
    EMPTY,
    /** It seems to lack files. */
    FEW,
    /** Bytes are lost. */
    DAMAGED,
    /** Some bytes are unavailable at present: a server or the backing store is away. */
    AWAY
  }

  /** Where its bytes are. */
  public enum Place {
    BUFFER,
    STORE,
    BOTH,
    /** Some are only in the buffer and others only in the backing store. */
    MIXED
  }

  public Checkpoint {
    paths = List.copyOf(paths);
  }

  public boolean isComplete() {
    return state == State.COMPLETE;
  }

  Checkpoint at(Place other) {
    return new Checkpoint(series, number, paths, files, bytes, state, reason, other, written);
  }

  Checkpoint found(State other, String why) {
    return new Checkpoint(series, number, paths, files, bytes, other, why, place, written);
  }
}
