// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * The locations of the entries of a seat's journals: for each journal its indexes, each with its
 * epoch and location. For one index the entry of the highest epoch counts. Called by the store's
 * owner only.
 */
public final class JournalIndex {
  /** No such entry. */
  public static final long ABSENT = -1;

  private final TreeMap<Long, Journal> journals = new TreeMap<>();

  /**
   * Enters or moves an entry. Returns the location that is now obsolete: the one it replaces, its
   * own if a higher epoch is there, or {@link #ABSENT}.
   */
  public long put(long journal, long epoch, long index, long location) {
    return journals.computeIfAbsent(journal, j -> new Journal()).put(epoch, index, location);
  }

  /** Removes an entry, if it is the one at that location. */
  public void remove(long journal, long index, long location) {
    if (location(journal, index) == location) {
      remove(journal, index, index, Long.MAX_VALUE, removed -> {});
    }
  }

  /** Removes the entries before an index. */
  public void removeHead(long journal, long beforeIndex, LongConsumer removed) {
    remove(journal, 0, beforeIndex - 1, Long.MAX_VALUE, removed);
  }

  /** Removes the entries with a lower epoch, from an index on. */
  public void removeTail(long journal, long epoch, long fromIndex, LongConsumer removed) {
    remove(journal, fromIndex, Long.MAX_VALUE, epoch, removed);
  }

  public long location(long journal, long index) {
    Journal entries = journals.get(journal);
    return entries == null ? ABSENT : entries.location(index);
  }

  public long epoch(long journal, long index) {
    Journal entries = journals.get(journal);
    return entries == null ? ABSENT : entries.epoch(index);
  }

  /** The journals there are, in order. */
  public long[] journals() {
    return journals.keySet().stream().mapToLong(Long::longValue).toArray();
  }

  /** The lowest index there is, or {@link #ABSENT}. */
  public long first(long journal) {
    Journal entries = journals.get(journal);
    return entries == null ? ABSENT : entries.first();
  }

  /** The highest index there is, or {@link #ABSENT}. */
  public long last(long journal) {
    Journal entries = journals.get(journal);
    return entries == null ? ABSENT : entries.last();
  }

  private void remove(
      long journal, long fromIndex, long toIndex, long belowEpoch, LongConsumer removed) {
    Journal entries = journals.get(journal);
    if (entries == null || fromIndex > toIndex) return;
    entries.remove(fromIndex, toIndex, belowEpoch, removed);
    if (entries.chunks.isEmpty()) journals.remove(journal);
  }

  /**
   * One journal, in chunks of neighbouring indexes: dense where there are entries, else nothing.
   */
  private static final class Journal {
    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();

    long put(long epoch, long index, long location) {
      Chunk chunk = chunks.computeIfAbsent(index >> Chunk.BITS, c -> new Chunk());
      int at = (int) index & Chunk.MASK;
      long standing = chunk.locations[at];
      if (standing != ABSENT && chunk.epochs[at] > epoch) return location;
      if (standing == ABSENT) chunk.count++;
      chunk.epochs[at] = epoch;
      chunk.locations[at] = location;
      return standing == location ? ABSENT : standing;
    }

    void remove(long fromIndex, long toIndex, long belowEpoch, LongConsumer removed) {
      var touched =
          chunks.subMap(fromIndex >> Chunk.BITS, true, toIndex >> Chunk.BITS, true).entrySet();
      for (var chunks = touched.iterator(); chunks.hasNext(); ) {
        Map.Entry<Long, Chunk> next = chunks.next();
        Chunk chunk = next.getValue();
        for (int at = 0; at <= Chunk.MASK; at++) {
          long index = (next.getKey() << Chunk.BITS) + at;
          if (index < fromIndex || index > toIndex || chunk.locations[at] == ABSENT) continue;
          if (chunk.epochs[at] >= belowEpoch) continue;
          removed.accept(chunk.locations[at]);
          chunk.locations[at] = ABSENT;
          chunk.count--;
        }
        if (chunk.count == 0) chunks.remove();
      }
    }

    long location(long index) {
      Chunk chunk = chunks.get(index >> Chunk.BITS);
      return chunk == null ? ABSENT : chunk.locations[(int) index & Chunk.MASK];
    }

    long epoch(long index) {
      Chunk chunk = chunks.get(index >> Chunk.BITS);
      int at = (int) index & Chunk.MASK;
      return chunk == null || chunk.locations[at] == ABSENT ? ABSENT : chunk.epochs[at];
    }

    long first() {
      Map.Entry<Long, Chunk> first = chunks.firstEntry();
      if (first == null) return ABSENT;
      int at = 0;
      while (first.getValue().locations[at] == ABSENT) at++;
      return (first.getKey() << Chunk.BITS) + at;
    }

    long last() {
      Map.Entry<Long, Chunk> last = chunks.lastEntry();
      if (last == null) return ABSENT;
      int at = Chunk.MASK;
      while (last.getValue().locations[at] == ABSENT) at--;
      return (last.getKey() << Chunk.BITS) + at;
    }
  }

  private static final class Chunk {
    static final int BITS = 8;
    static final int MASK = (1 << BITS) - 1;

    final long[] epochs = new long[1 << BITS];
    final long[] locations = new long[1 << BITS];
    int count;

    Chunk() {
      Arrays.fill(locations, ABSENT);
    }
  }
}
