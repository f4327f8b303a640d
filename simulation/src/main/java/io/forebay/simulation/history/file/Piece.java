// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Operation;

/** A record of a write: it becomes part of a file as a whole or not at all. */
public final class Piece {
  public final Operation write;
  public final long value;
  public final long offset;
  public final long endOffset;

  /** Its number in the order of writing, over all clients of the file. */
  public final int order;

  public final Batch batch;

  /** Whether others have seen it. */
  public boolean seen;

  Piece(Operation write, long value, long offset, long endOffset, int order, Batch batch) {
    this.write = write;
    this.value = value;
    this.offset = offset;
    this.endOffset = endOffset;
    this.order = order;
    this.batch = batch;
  }

  public int client() {
    return write.client();
  }

  /** Whether it is part of its batch for certain. */
  boolean counts() {
    return seen || write.isDone();
  }

  @Override
  public String toString() {
    return "value " + value + " written by " + write;
  }
}
