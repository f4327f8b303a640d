// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.base.Bytes;
import io.forebay.wire.message.Names;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The common fields of all nodes of a tree. There may be millions: fields are plain and few. */
public abstract sealed class Node permits FileNode, DirectoryNode, SymlinkNode, SpecialNode {
  private final long number;

  /** Permission bits with setuid, setgid and sticky. */
  public int mode;

  public int user;
  public int group;
  public long accessNanos;
  public long modifyNanos;
  public long changeNanos;

  /** Extra attributes by name; null for none. */
  public @Nullable TreeMap<String, Bytes> extras;

  Node(long number) {
    this.number = number;
  }

  public final long number() {
    return number;
  }

  abstract Names.Kind kind();

  abstract int links();

  abstract long sizeBytes();

  long allocatedBytes() {
    return 0;
  }

  long version() {
    return 0;
  }

  /** Bytes that were allocated and not written. */
  long reservedBytes() {
    return 0;
  }

  long device() {
    return 0;
  }

  /** Content or entries changed. */
  public final void modified(long timeNanos) {
    modifyNanos = timeNanos;
    changeNanos = timeNanos;
  }

  public final Names.Attributes attributes() {
    return new Names.Attributes(
        number,
        kind(),
        mode,
        user,
        group,
        links(),
        sizeBytes(),
        allocatedBytes(),
        accessNanos,
        modifyNanos,
        changeNanos,
        version(),
        reservedBytes(),
        device());
  }
}
