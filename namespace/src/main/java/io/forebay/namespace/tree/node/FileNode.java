// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.wire.message.Names;
import org.jspecify.annotations.Nullable;

/** A file, or the value of a key-value pair. */
public final class FileNode extends Node {
  /** How many names it has; 0 for an orphan. A pair's key counts as one. */
  public int links;

  /** The index of the last publish or truncation; 0 for none. */
  public long version;

  /** Whether it is the value of a pair, which is published once and has no name in a directory. */
  public final boolean pair;

  /** Null if nothing was published and no size set. */
  public @Nullable FileContent content;

  /** Ranges that were allocated and not written; null for none. */
  public @Nullable ReservedRanges reserved;

  /** The directory of its only name, if known; null if it may have others. */
  public @Nullable DirectoryNode parent;

  /** The only name, if known. */
  public String name = "";

  public FileNode(long number, boolean pair) {
    super(number);
    this.pair = pair;
  }

  @Override
  Names.Kind kind() {
    return Names.Kind.FILE;
  }

  @Override
  int links() {
    return links;
  }

  @Override
  public long sizeBytes() {
    return content == null ? 0 : content.sizeBytes();
  }

  @Override
  public long allocatedBytes() {
    return content == null ? 0 : content.usedBytes();
  }

  @Override
  long version() {
    return version;
  }

  @Override
  long reservedBytes() {
    return reserved == null ? 0 : reserved.bytes();
  }

  /** A range is no longer reserved: it was written, truncated or became a hole. */
  public void unreserve(long from, long to) {
    if (reserved == null) return;
    reserved.remove(from, to);
    if (reserved.bytes() == 0) reserved = null;
  }
}
