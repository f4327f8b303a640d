package io.forebay.namespace.tree;

import io.forebay.store.index.Extent;
import java.util.function.Predicate;

/** A file of which the buffer has nothing: the backing store has all. */
final class ReleasedContent extends FileContent {
  private final long sizeBytes;

  ReleasedContent(long sizeBytes) {
    this.sizeBytes = sizeBytes;
  }

  @Override
  long sizeBytes() {
    return sizeBytes;
  }

  @Override
  long usedBytes() {
    return 0;
  }

  @Override
  int[] groups() {
    return new int[0];
  }

  @Override
  void visit(long offset, Predicate<Extent> goesOn) {}
}
