// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A ring of fixed entries that many threads fill and one at a time empties, without locks. An entry
 * is claimed by its number, filled, and marked with the number that its next use will have less
 * one; the reader stops at the first entry that is not marked yet.
 */
final class EventRing {
  /** A power of two. */
  static final int ENTRIES = 1024;

  static final int FIELDS = 7;

  /** Takes the fields of one entry; they are from an index of the array on. */
  interface Reader {
    void take(long[] fields, int from);
  }

  private final long[] fields = new long[ENTRIES * FIELDS];
  private final AtomicLongArray marks = new AtomicLongArray(ENTRIES);
  private final AtomicLong claimed = new AtomicLong();

  /** Entries that were read; changed by the one reader. */
  private volatile long read;

  /** The number of a free entry, or -1 if there is none. */
  long claim() {
    while (true) {
      long number = claimed.get();
      if (number - read >= ENTRIES) return -1;
      if (claimed.compareAndSet(number, number + 1)) return number;
    }
  }

  /** Where the fields of an entry begin in {@link #fields}. */
  int at(long number) {
    return (int) (number & (ENTRIES - 1)) * FIELDS;
  }

  long[] fields() {
    return fields;
  }

  /** The fields of a claimed entry are complete. */
  void publish(long number) {
    marks.setRelease((int) (number & (ENTRIES - 1)), number + 1);
  }

  /** How many entries are claimed and not read. */
  long waiting() {
    return claimed.get() - read;
  }

  /** Reads at most so many complete entries; one thread at a time. */
  int drain(int most, Reader reader) {
    long number = read;
    int count = 0;
    while (count < most && marks.getAcquire((int) (number & (ENTRIES - 1))) == number + 1) {
      reader.take(fields, at(number));
      number++;
      count++;
    }
    read = number;
    return count;
  }
}
