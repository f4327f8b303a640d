// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The contents of packs and notes, by name. They never change, so each is read only once. One
 * thread at a time.
 */
public final class PackCache {
  /** The maximum number of files and notes in the cache; beyond it the cache is cleared. */
  private static final int ENTRIES_MAX = 1_000_000;

  // Looked up only.
  final Map<String, PackIndex> indexes = new HashMap<>();
  final Map<String, List<PackNote>> notes = new HashMap<>();

  /** The same, to which others may add. */
  public PackCache copy() {
    PackCache copy = new PackCache();
    if (entries() > ENTRIES_MAX) return copy;
    copy.indexes.putAll(indexes);
    copy.notes.putAll(notes);
    return copy;
  }

  private long entries() {
    long entries = 0;
    for (PackIndex index : indexes.values()) entries += index.entries().size();
    for (List<PackNote> each : notes.values()) entries += each.size();
    return entries;
  }
}
