// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.RecordType;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The records of one segment in memory, in the order of position: arrays instead of objects, since
 * there may be tens of millions. Called by the store's owner only.
 */
public final class RecordTable {
  /** The state of a record. */
  public enum State {
    /** Reserved, payload not complete. */
    OPEN(0),
    /** Abandoned before it was complete. */
    VOID(1),
    /** Must be kept. */
    LIVE(2),
    /** Its drained copy is verified: kept as cache only. */
    CLEAN(3),
    /** Complete, but another copy of the same record counts until this one is safe. */
    MOVING(4),
    /** Counts no longer. */
    DEAD(5),
    /** Its bytes no longer match their checksums. */
    DAMAGED(6);

    private final int code;

    State(int code) {
      this.code = code;
    }
  }

  private static final State[] STATES = State.values();
  private static final int INITIAL_ENTRIES = 16;
  private static final int ARRAYS = 8;
  private static final int ARRAY_HEADER_BYTES = 16;
  private static final int ENTRY_BYTES = 4 * Integer.BYTES + 3 * Long.BYTES + Byte.BYTES;

  // One byte holds a record's state, its type and how much of it the SSD has.
  private static final int STATE_MASK = 0b111;
  private static final int TYPE_SHIFT = 3;
  private static final int TYPE_MASK = 0b111;
  private static final int WRITTEN_SHIFT = 6;
  private static final int WRITTEN_MASK = 0b11;

  /** How much of a record has been written to the SSD. */
  public static final int WRITTEN_NOTHING = 0;

  public static final int WRITTEN_HEADER = 1;
  public static final int WRITTEN_ALL = 2;

  private int[] position = new int[INITIAL_ENTRIES];
  private int[] payloadBytes = new int[INITIAL_ENTRIES];
  private long[] session = new long[INITIAL_ENTRIES];
  private long[] sequence = new long[INITIAL_ENTRIES];
  private long[] file = new long[INITIAL_ENTRIES];
  private int[] instance = new int[INITIAL_ENTRIES];
  private int[] group = new int[INITIAL_ENTRIES];
  private byte[] flags = new byte[INITIAL_ENTRIES];
  private int size;
  private final EntriesByFile byFile = new EntriesByFile();

  /** Adds a record behind the others and gives its number. */
  public int add(RecordHeader record, int at, State state) {
    if (size == position.length) resize(size + (size >> 1) + 1);
    int entry = size++;
    position[entry] = at;
    payloadBytes[entry] = record.payloadBytes();
    session[entry] = record.id().session();
    sequence[entry] = record.id().sequence();
    file[entry] = record.file().number();
    instance[entry] = record.file().instance();
    group[entry] = record.group();
    flags[entry] = (byte) (state.code | (record.type().code() << TYPE_SHIFT));
    return entry;
  }

  /** Frees spare capacity once no record will follow. */
  public void trim() {
    resize(size);
  }

  public int size() {
    return size;
  }

  public int position(int entry) {
    return position[entry];
  }

  public int payloadBytes(int entry) {
    return payloadBytes[entry];
  }

  public int recordBytes(int entry) {
    return (int) RecordLayout.recordBytes(payloadBytes[entry]);
  }

  public long session(int entry) {
    return session[entry];
  }

  public long sequence(int entry) {
    return sequence[entry];
  }

  public long fileNumber(int entry) {
    return file[entry];
  }

  public int instance(int entry) {
    return instance[entry];
  }

  public int group(int entry) {
    return group[entry];
  }

  public RecordId id(int entry) {
    return new RecordId(session[entry], sequence[entry]);
  }

  public FileId file(int entry) {
    return new FileId(instance[entry], file[entry]);
  }

  boolean isOf(int entry, FileId wanted) {
    return file[entry] == wanted.number() && instance[entry] == wanted.instance();
  }

  /** Gives the entries that name a file, in no order. */
  public void entriesOf(FileId wanted, IntConsumer found) {
    byFile.visit(this, wanted, found);
  }

  public RecordType type(int entry) {
    RecordType type = RecordType.of(flags[entry] >> TYPE_SHIFT & TYPE_MASK);
    if (type == null) throw new IllegalStateException("entry " + entry + " has no type");
    return type;
  }

  public State state(int entry) {
    return STATES[flags[entry] & STATE_MASK];
  }

  public void state(int entry, State state) {
    flags[entry] = (byte) ((flags[entry] & ~STATE_MASK) | state.code);
  }

  public int written(int entry) {
    return flags[entry] >> WRITTEN_SHIFT & WRITTEN_MASK;
  }

  public void written(int entry, int written) {
    flags[entry] =
        (byte) ((flags[entry] & ~(WRITTEN_MASK << WRITTEN_SHIFT)) | (written << WRITTEN_SHIFT));
  }

  /** The record at that position, or -1. */
  public int at(int wanted) {
    int entry = Arrays.binarySearch(position, 0, size, wanted);
    return entry < 0 ? -1 : entry;
  }

  public long memoryBytes() {
    return (long) position.length * ENTRY_BYTES
        + ARRAYS * ARRAY_HEADER_BYTES
        + byFile.memoryBytes();
  }

  private void resize(int entries) {
    position = Arrays.copyOf(position, entries);
    payloadBytes = Arrays.copyOf(payloadBytes, entries);
    session = Arrays.copyOf(session, entries);
    sequence = Arrays.copyOf(sequence, entries);
    file = Arrays.copyOf(file, entries);
    instance = Arrays.copyOf(instance, entries);
    group = Arrays.copyOf(group, entries);
    flags = Arrays.copyOf(flags, entries);
  }
}
