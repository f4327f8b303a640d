package io.forebay.simulation.history;

/** A record of a write: what becomes part of a file as a whole or not at all. */
final class Piece {
  final Operation write;
  final long value;
  final long offset;
  final long endOffset;

  /** Its number in the order of writing, over all clients of the file. */
  final int order;

  final Batch batch;

  /** Whether others have seen it. */
  boolean seen;

  Piece(Operation write, long value, long offset, long endOffset, int order, Batch batch) {
    this.write = write;
    this.value = value;
    this.offset = offset;
    this.endOffset = endOffset;
    this.order = order;
    this.batch = batch;
  }

  int client() {
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
