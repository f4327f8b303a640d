// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins the parts of the state that a group begins with. The first part begins anew: a leader that
 * was interrupted sends all of them again. Called by the loop only.
 */
final class InitialState {
  static final int PART_BYTES = 1024 * 1024;

  private final List<Bytes> parts = new ArrayList<>();
  private boolean whole;

  static List<Bytes> cut(Bytes state) {
    List<Bytes> parts = new ArrayList<>();
    ByteBuffer rest = state.asBuffer();
    do {
      int length = Math.min(PART_BYTES, rest.remaining());
      parts.add(Bytes.copyOf(rest.slice(rest.position(), length)));
      rest.position(rest.position() + length);
    } while (rest.hasRemaining());
    return parts;
  }

  /** Takes a part; returns the state when it is whole for the first time. */
  @Nullable Bytes add(GroupEntry entry) {
    if (whole) return null;
    if (entry.part() == 0) parts.clear();
    if (entry.part() != parts.size()) return null;
    parts.add(entry.content());
    if (parts.size() < entry.parts()) return null;
    ByteBuffer joined = ByteBuffer.allocate(parts.stream().mapToInt(Bytes::length).sum());
    for (Bytes part : parts) joined.put(part.asBuffer());
    set(true);
    return Bytes.copyOf(joined.flip());
  }

  /** A snapshot tells whether it is in there. */
  void set(boolean whole) {
    this.whole = whole;
    parts.clear();
  }

  boolean isWhole() {
    return whole;
  }

  boolean isPartial() {
    return !parts.isEmpty();
  }
}
