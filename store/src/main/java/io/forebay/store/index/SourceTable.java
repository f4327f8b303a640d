// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the sources of a directory's extents, a source being a session and the group that holds
 * its records: there are few of them for many extents, which thus store 4 bytes instead of 12.
 * Sources no longer used stay until {@link #replaceBy}; the directory ensures that they do not
 * outnumber its extents.
 */
final class SourceTable {
  static final int ABSENT = -1;

  /** Up to this many sources a scan is as fast as hashing, and a small file needs no hash index. */
  private static final int SCANNED_MAX = 8;

  private static final int SESSION = 0;
  private static final int GROUP = SESSION + 1;
  private static final int SOURCE_WORDS = GROUP + 1;

  private static final int FIELD_BYTES = Integer.BYTES + 2 * HeapBytes.REFERENCE;
  private static final long HASH_MULTIPLIER = 0x9E3779B97F4A7C15L;

  private long[] words = new long[SOURCE_WORDS];
  private int count;

  /** Open addressing: a source's number plus 1, or 0 for a free slot; at most half are taken. */
  private int @Nullable [] slots;

  int count() {
    return count;
  }

  boolean isFull() {
    return count == words.length / SOURCE_WORDS;
  }

  long session(int source) {
    return words[source * SOURCE_WORDS + SESSION];
  }

  int group(int source) {
    return (int) words[source * SOURCE_WORDS + GROUP];
  }

  int find(long session, int group) {
    return slots == null ? scan(session, group) : probe(slots, session, group);
  }

  private int scan(long session, int group) {
    for (int source = count - 1; source >= 0; source--) {
      if (matches(source, session, group)) return source;
    }
    return ABSENT;
  }

  private int probe(int[] slots, long session, int group) {
    int mask = slots.length - 1;
    for (int slot = hash(session, group) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      int source = slots[slot] - 1;
      if (matches(source, session, group)) return source;
    }
    return ABSENT;
  }

  private boolean matches(int source, long session, int group) {
    return session(source) == session && group(source) == group;
  }

  /** Numbers a source that is absent. */
  int add(long session, int group) {
    if (isFull()) words = Arrays.copyOf(words, words.length * 2);
    int source = count++;
    words[source * SOURCE_WORDS + SESSION] = session;
    words[source * SOURCE_WORDS + GROUP] = group;
    if (slots != null && 2 * count <= slots.length) {
      index(slots, source);
    } else if (count > SCANNED_MAX) {
      slots = indexAll(4 * Integer.highestOneBit(count));
    }
    return source;
  }

  private int[] indexAll(int length) {
    int[] fresh = new int[length];
    for (int source = 0; source < count; source++) index(fresh, source);
    return fresh;
  }

  private void index(int[] slots, int source) {
    int mask = slots.length - 1;
    int slot = hash(session(source), group(source)) & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = source + 1;
  }

  private static int hash(long session, int group) {
    long mixed = (session * HASH_MULTIPLIER + group) * HASH_MULTIPLIER;
    return (int) (mixed >>> Integer.SIZE);
  }

  /** Takes over the sources of a table that is not used any further. */
  void replaceBy(SourceTable other) {
    words = other.words;
    count = other.count;
    slots = other.slots;
  }

  long memoryBytes() {
    return HeapBytes.object(FIELD_BYTES)
        + HeapBytes.array(words.length, Long.BYTES)
        + (slots == null ? 0 : HeapBytes.array(slots.length, Integer.BYTES));
  }
}
