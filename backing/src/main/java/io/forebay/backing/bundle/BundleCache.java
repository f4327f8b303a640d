// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.bundle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What bundles and notes say, by name. They never change, so that nobody need read one twice. One
 * thread at a time.
 */
public final class BundleCache {
  /** So many files and notes are remembered at most; then all is forgotten. */
  private static final int ENTRIES_MAX = 1_000_000;

  // Looked up only.
  final Map<String, BundleIndex> indexes = new HashMap<>();
  final Map<String, List<BundleNote>> notes = new HashMap<>();

  /** The same, to which others may add. */
  public BundleCache copy() {
    BundleCache copy = new BundleCache();
    if (entries() > ENTRIES_MAX) return copy;
    copy.indexes.putAll(indexes);
    copy.notes.putAll(notes);
    return copy;
  }

  private long entries() {
    long entries = 0;
    for (BundleIndex index : indexes.values()) entries += index.entries().size();
    for (List<BundleNote> each : notes.values()) entries += each.size();
    return entries;
  }
}
