// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds data records by their id. A slot holds only the location of the record's entry (in a
 * segment's {@link RecordTable}) and some bits of its hash; the id itself is in the table. The
 * slots are spread over many small tables that grow one by one, so that no append waits for a large
 * rehash. Called by the store's owner only.
 */
public final class RecordIndex {
  /** No such record. */
  public static final long ABSENT = -1;

  /** The maximum number of segments at a time. */
  public static final int SEGMENTS_MAX = 1 << 24;

  private static final int ENTRY_BITS = 24;
  private static final long ENTRY_MASK = (1L << ENTRY_BITS) - 1;
  private static final int SEGMENT_BITS = 24;
  private static final int TAG_SHIFT = ENTRY_BITS + SEGMENT_BITS;
  private static final long LOCATION_MASK = (1L << TAG_SHIFT) - 1;
  private static final long TAG_MASK = 0x7fff;
  private static final long EMPTY = -1;
  private static final int SHARD_BITS = 10;
  private static final int INITIAL_SLOTS = 8;

  private final long[][] shards = new long[1 << SHARD_BITS][];
  private final int[] sizes = new int[1 << SHARD_BITS];
  private @Nullable RecordTable[] tables = new @Nullable RecordTable[16];
  private long size;

  /** The location of a record: a segment's ordinal and an entry of its table, in one number. */
  public static long location(int segment, int entry) {
    return ((long) segment << ENTRY_BITS) | entry;
  }

  public static int segmentOf(long location) {
    return (int) (location >>> ENTRY_BITS);
  }

  public static int entryOf(long location) {
    return (int) (location & ENTRY_MASK);
  }

  /** Makes the records of a segment known by its ordinal. */
  public void attach(int segment, RecordTable table) {
    if (segment >= tables.length) {
      tables = Arrays.copyOf(tables, Math.max(segment + 1, tables.length * 2));
    }
    tables[segment] = table;
  }

  /** Forgets a segment, of which no record may be indexed any more. */
  public void detach(int segment) {
    tables[segment] = null;
  }

  public long size() {
    return size;
  }

  /** The location of the record, or {@link #ABSENT}. */
  public long find(long session, long sequence) {
    long hash = hash(session, sequence);
    long[] slots = shards[shardOf(hash)];
    if (slots == null) return ABSENT;
    int at = slot(slots, hash, session, sequence);
    return slots[at] == EMPTY ? ABSENT : slots[at] & LOCATION_MASK;
  }

  /** Enters a record, or moves it if its id exists already. */
  public void put(long session, long sequence, long location) {
    long hash = hash(session, sequence);
    int shard = shardOf(hash);
    long[] slots = shards[shard];
    if (slots == null) {
      slots = newSlots(INITIAL_SLOTS);
      shards[shard] = slots;
    }
    int at = slot(slots, hash, session, sequence);
    boolean added = slots[at] == EMPTY;
    slots[at] = (tagOf(hash) << TAG_SHIFT) | location;
    if (!added) return;
    size++;
    if (++sizes[shard] > slots.length / 4 * 3) grow(shard);
  }

  /** Removes a record and says whether it was there. */
  public boolean remove(long session, long sequence) {
    long hash = hash(session, sequence);
    int shard = shardOf(hash);
    long[] slots = shards[shard];
    if (slots == null) return false;
    int at = slot(slots, hash, session, sequence);
    if (slots[at] == EMPTY) return false;
    close(slots, at);
    sizes[shard]--;
    size--;
    return true;
  }

  public long memoryBytes() {
    long bytes = 0;
    for (long[] slots : shards) {
      if (slots != null) bytes += (long) slots.length * Long.BYTES;
    }
    for (RecordTable table : tables) {
      if (table != null) bytes += table.memoryBytes();
    }
    return bytes;
  }

  /** The slot of that id, or the empty one where it would go. */
  private int slot(long[] slots, long hash, long session, long sequence) {
    int mask = slots.length - 1;
    long tag = tagOf(hash);
    for (int at = (int) hash & mask; ; at = (at + 1) & mask) {
      long slot = slots[at];
      if (slot == EMPTY) return at;
      if (slot >>> TAG_SHIFT == tag && holds(slot & LOCATION_MASK, session, sequence)) return at;
    }
  }

  private boolean holds(long location, long session, long sequence) {
    RecordTable table = table(location);
    int entry = entryOf(location);
    return table.sequence(entry) == sequence && table.session(entry) == session;
  }

  private RecordTable table(long location) {
    RecordTable table = tables[segmentOf(location)];
    if (table == null)
      throw new IllegalStateException("segment " + segmentOf(location) + " is gone");
    return table;
  }

  /** Empties a slot and moves up those behind it that would not be found any more. */
  private void close(long[] slots, int emptied) {
    int mask = slots.length - 1;
    int hole = emptied;
    for (int at = (hole + 1) & mask; slots[at] != EMPTY; at = (at + 1) & mask) {
      int ideal = (int) hashOf(slots[at] & LOCATION_MASK) & mask;
      if (((at - ideal) & mask) >= ((at - hole) & mask)) {
        slots[hole] = slots[at];
        hole = at;
      }
    }
    slots[hole] = EMPTY;
  }

  private void grow(int shard) {
    long[] old = shards[shard];
    long[] slots = newSlots(old.length * 2);
    int mask = slots.length - 1;
    for (long slot : old) {
      if (slot == EMPTY) continue;
      int at = (int) hashOf(slot & LOCATION_MASK) & mask;
      while (slots[at] != EMPTY) at = (at + 1) & mask;
      slots[at] = slot;
    }
    shards[shard] = slots;
  }

  private long hashOf(long location) {
    RecordTable table = table(location);
    int entry = entryOf(location);
    return hash(table.session(entry), table.sequence(entry));
  }

  private static long[] newSlots(int count) {
    long[] slots = new long[count];
    Arrays.fill(slots, EMPTY);
    return slots;
  }

  private static int shardOf(long hash) {
    return (int) (hash >>> (Long.SIZE - SHARD_BITS));
  }

  private static long tagOf(long hash) {
    return (hash >>> 32) & TAG_MASK;
  }

  /** Spreads ids whose sequences are dense: the finalizer of MurmurHash3. */
  private static long hash(long session, long sequence) {
    long h = session * 0x9E3779B97F4A7C15L + sequence;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }
}
