// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.ProgramProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Takes the calls of programs from any thread, and counts them by one thread at a time. A call is
 * put into a ring; the thread that finds {@link #BATCH} of them there counts them, in the order of
 * their beginnings. No thread waits for another, except if the ring is full. Any thread.
 */
public final class Profiler {
  /** The name under which programs beyond the bound are counted. */
  public static final String OTHERS = "(others)";

  private static final int BATCH = 256;
  private static final Call[] CALLS = Call.values();

  // The fields of an entry.
  private static final int START = 0;
  private static final int NANOS = 1;
  private static final int FILE = 2;
  private static final int OFFSET = 3;
  private static final int LENGTH = 4;
  private static final int WHO = 5;
  private static final int PROCESS = 6;

  private static final int CALL_BITS = 8;
  private static final long CALL_MASK = (1 << CALL_BITS) - 1;

  /** A length that says that there was no access, or a failed one. */
  private static final long NO_LENGTH = -1;

  private final LongSupplier clock;
  private final Characteriser characteriser;
  private final EventRing ring = new EventRing();
  private final AtomicBoolean counting = new AtomicBoolean();
  private final ConcurrentHashMap<ProgramName, Integer> programs = new ConcurrentHashMap<>();
  private final List<ProgramName> names = new ArrayList<>();

  // Of the thread that counts.
  private final long[] batch = new long[BATCH * EventRing.FIELDS];
  private final int[] order = new int[BATCH];
  private int taken;
  private final Characteriser.Place place = new Characteriser.Place();

  /**
   * Begins to count.
   *
   * @param stripeBytes the unit in which files are spread over servers
   * @param cut whether accesses come through the kernel's page cache, which cuts writes
   * @param paths the path of a file by its number; called by threads that make calls
   * @param clock nanoseconds
   */
  public Profiler(long stripeBytes, boolean cut, LongFunction<String> paths, LongSupplier clock) {
    this.clock = clock;
    this.characteriser = new Characteriser(stripeBytes, cut, paths);
  }

  /** The number of a program, for the calls that it makes. */
  public int program(ProgramName name) {
    Integer known = programs.get(name);
    return known != null ? known : register(name);
  }

  private int register(ProgramName name) {
    synchronized (names) {
      Integer known = programs.get(name);
      if (known != null) return known;
      if (names.size() >= Characteriser.PROGRAMS_MAX - 1) {
        // Not kept by name: names would fill the memory.
        if (names.size() < Characteriser.PROGRAMS_MAX) names.add(new ProgramName(-1, OTHERS));
        return Characteriser.PROGRAMS_MAX - 1;
      }
      names.add(name);
      programs.put(name, names.size() - 1);
      return names.size() - 1;
    }
  }

  /** The time at which a call begins. */
  public long now() {
    return clock.getAsLong();
  }

  /**
   * A call has ended now.
   *
   * @param file 0 for none
   * @param start what {@link #now} said before it
   */
  public void called(int program, Call call, long file, int process, long start) {
    put(program, call, file, start, NO_LENGTH, 0, (long) process << Integer.SIZE);
  }

  /** A read or write has ended now. */
  public void accessed(
      int program, Call call, long file, Access access, long offset, long lengthBytes) {
    long who = ((long) access.process << Integer.SIZE) | (access.stream & 0xffffffffL);
    put(program, call, file, access.start, lengthBytes, offset, who);
  }

  /**
   * Of an access.
   *
   * @param stream the accesses of a file with the same number are one row; a process, usually
   * @param start what {@link #now} said before it
   */
  public record Access(int process, int stream, long start) {}

  private void put(
      int program, Call call, long file, long start, long length, long offset, long process) {
    long nanos = clock.getAsLong() - start;
    long number = ring.claim();
    while (number < 0) {
      if (!count()) Thread.onSpinWait();
      number = ring.claim();
    }
    long[] fields = ring.fields();
    int at = ring.at(number);
    fields[at + START] = start;
    fields[at + NANOS] = nanos;
    fields[at + FILE] = file;
    fields[at + OFFSET] = offset;
    fields[at + LENGTH] = length;
    fields[at + WHO] = ((long) program << CALL_BITS) | call.place();
    fields[at + PROCESS] = process;
    ring.publish(number);
    if (ring.waiting() >= BATCH) count();
  }

  /** Counts a batch, unless another thread does; false if that does. */
  private boolean count() {
    if (!counting.compareAndSet(false, true)) return false;
    try {
      countBatch();
      return true;
    } finally {
      counting.set(false);
    }
  }

  private int countBatch() {
    taken = 0;
    int count = ring.drain(BATCH, this::take);
    sort(count);
    for (int i = 0; i < count; i++) countOne(order[i]);
    return count;
  }

  private void take(long[] fields, int from) {
    System.arraycopy(fields, from, batch, taken * EventRing.FIELDS, EventRing.FIELDS);
    order[taken] = taken * EventRing.FIELDS;
    taken++;
  }

  /** By insertion: the entries are nearly in order. */
  private void sort(int count) {
    for (int i = 1; i < count; i++) {
      int entry = order[i];
      long start = batch[entry + START];
      int at = i;
      while (at > 0 && batch[order[at - 1] + START] > start) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = entry;
    }
  }

  private void countOne(int at) {
    int program = (int) (batch[at + WHO] >>> CALL_BITS);
    Call call = CALLS[(int) (batch[at + WHO] & CALL_MASK)];
    long file = batch[at + FILE];
    int process = (int) (batch[at + PROCESS] >>> Integer.SIZE);
    characteriser.call(program, call, file, process, batch[at + NANOS]);
    if (batch[at + LENGTH] == NO_LENGTH) return;
    place.write = call == Call.WRITE;
    place.process = process;
    place.stream = (int) batch[at + PROCESS];
    place.offset = batch[at + OFFSET];
    place.lengthBytes = batch[at + LENGTH];
    characteriser.access(program, file, place);
  }

  /** What was counted so far, of all calls that have ended. */
  public List<ProgramProfile> counted(String instance) {
    while (!counting.compareAndSet(false, true)) Thread.onSpinWait();
    try {
      while (countBatch() > 0) {
        // All that is there.
      }
      List<ProgramName> known;
      synchronized (names) {
        known = List.copyOf(names);
      }
      return characteriser.counted(instance, known);
    } finally {
      counting.set(false);
    }
  }
}
