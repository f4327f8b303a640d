// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collective reads and writes in two phases: ranks exchange bytes with aggregators in memory, and
 * aggregators exchange them with the file in large calls. In each round, every aggregator works on
 * one window of its domain. A window begins at the next requested byte, so that gaps cost nothing;
 * if every domain fits one window, there is one round.
 *
 * <p>A message to an aggregator is: the number of parts; offset, length and age of each; and for a
 * write their bytes. An answer to a read is the bytes of the parts, in their order.
 *
 * <p>A failure of the storage does not end the rounds: the aggregator continues without it and
 * throws at the end, so that no other rank waits for it.
 */
final class TwoPhase implements AutoCloseable {
  private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int PART_BYTES = 3 * Long.BYTES;

  /** An overlap cuts a run of a slice into two parts at most, and so does the end of a window. */
  private static final long PARTS_MAX = 4L * Slices.RUNS_MAX;

  private final Group group;
  private final SharedFile file;
  private final DirectSettings settings;
  private final int[] aggregatorRanks;
  private final Scratch outgoing = new Scratch();
  private final Scratch incoming = new Scratch();
  private final Scratch window = new Scratch();
  private final Scratch answers = new Scratch();
  private final Spans spans = new Spans();
  private @Nullable IOException failure;

  /** For one open file. */
  TwoPhase(Group group, SharedFile file, DirectSettings settings) {
    this.group = group;
    this.file = file;
    this.settings = settings;
    aggregatorRanks = Aggregators.choose(group, settings.aggregators());
  }

  /**
   * Writes every rank's pieces, whose bytes are in its memory.
   *
   * @param start of the agreed range with all ranks' pieces
   * @param end of that range
   */
  void write(Pieces pieces, MemorySegment memory, long start, long end) throws IOException {
    transfer(pieces, memory, start, end, true);
  }

  /** Reads every rank's pieces into its memory. */
  void read(Pieces pieces, MemorySegment memory) throws IOException {
    long start = pieces.count() == 0 ? Long.MAX_VALUE : pieces.offset(0);
    // One reduction for both ends.
    long[] range = group.allReduce(new long[] {start, -pieces.endOffset()}, Reduction.MIN);
    if (range[0] == Long.MAX_VALUE) return;
    transfer(pieces, memory, range[0], -range[1], false);
  }

  private void transfer(Pieces pieces, MemorySegment memory, long start, long end, boolean write)
      throws IOException {
    failure = null;
    Aggregators aggregators = Aggregators.over(aggregatorRanks, start, end, settings.stripeBytes());
    List<Cursor> cursors = new ArrayList<>();
    for (int a = 0; a < aggregators.count(); a++) {
      cursors.add(new Cursor(pieces, aggregators.domainStart(a), aggregators.domainEnd(a)));
    }
    Round round = new Round(aggregators, cursors, memory, write);
    // If each domain fits one window, all ranks know the windows without an exchange.
    if (aggregators.domainBytes() <= settings.windowBytes()) {
      round.beginWhole();
      round.run();
    } else {
      while (round.begin()) {
        round.run();
        if (round.isLast()) break;
      }
    }
    if (failure != null) throw failure;
  }

  /** One window of every aggregator. */
  private final class Round {
    private final Aggregators aggregators;
    private final List<Cursor> cursors;
    private final MemorySegment memory;
    private final boolean write;
    private final int own;
    private long[] windowStarts = new long[0];

    Round(Aggregators aggregators, List<Cursor> cursors, MemorySegment memory, boolean write) {
      this.aggregators = aggregators;
      this.cursors = cursors;
      this.memory = memory;
      this.write = write;
      own = aggregators.indexOf(group.rank());
    }

    /** Agrees on the next windows; false if no rank has requests left. */
    boolean begin() {
      long[] next = new long[cursors.size()];
      for (int a = 0; a < next.length; a++) next[a] = cursors.get(a).next();
      windowStarts = group.allReduce(next, Reduction.MIN);
      for (long first : windowStarts) {
        if (first != Cursor.DONE) return true;
      }
      return false;
    }

    /** Takes whole domains as windows. */
    void beginWhole() {
      windowStarts = new long[cursors.size()];
      for (int a = 0; a < windowStarts.length; a++) {
        long start = aggregators.domainStart(a);
        windowStarts[a] = start < aggregators.domainEnd(a) ? start : Cursor.DONE;
      }
    }

    /** Whether the windows reach the end of every domain. */
    boolean isLast() {
      for (int a = 0; a < windowStarts.length; a++) {
        long left = windowStarts[a] == Cursor.DONE ? 0 : aggregators.domainEnd(a) - windowStarts[a];
        if (left > settings.windowBytes()) return false;
      }
      return true;
    }

    void run() {
      long[] sendBytes = new long[group.size()];
      Message[] messages = new Message[aggregators.count()];
      long total = 0;
      for (int a = 0; a < messages.length; a++) {
        messages[a] = parts(a);
        sendBytes[aggregators.rank(a)] = messages[a].bytes(write);
        total += messages[a].bytes(write);
      }
      MemorySegment send = outgoing.take(total);
      long at = 0;
      for (Message message : messages) at = message.store(send, at, write ? memory : null);
      long[] receiveBytes = group.allToAll(sendBytes);
      MemorySegment received = incoming.take(sum(receiveBytes));
      group.allToAll(send, sendBytes, received, receiveBytes, rankBytesMax(write));
      if (write) {
        if (own >= 0) writeWindow(received, receiveBytes);
      } else {
        answer(messages, received, receiveBytes);
      }
    }

    private Message parts(int aggregator) {
      Message message = new Message();
      long start = windowStarts[aggregator];
      if (start != Cursor.DONE) {
        cursors.get(aggregator).take(start + settings.windowBytes(), message::add);
      }
      return message;
    }

    private void writeWindow(MemorySegment received, long[] receiveBytes) {
      long start = windowStarts[own];
      if (start == Cursor.DONE) return;
      MemorySegment buffer = takeWindow(start);
      spans.clear();
      Overlay overlay = new Overlay(received, buffer, start);
      eachPart(
          received,
          receiveBytes,
          (offset, bytes, at, age) -> {
            spans.add(offset, bytes);
            overlay.add(offset, bytes, at, age);
          });
      try {
        // Holes are read before any write: no other rank writes to this domain now.
        spans.<IOException>forEach(
            settings.windowBytes(),
            (from, to, holes) -> {
              if (holes) readFully(file, buffer.asSlice(from - start, to - from), from);
            });
        overlay.copy();
        spans.<IOException>forEach(
            settings.windowBytes(),
            (from, to, holes) -> file.write(buffer.asSlice(from - start, to - from), from));
      } catch (IOException e) {
        failed(e);
      }
    }

    /** Memory for the window from there on; a short domain needs less than a whole one. */
    private MemorySegment takeWindow(long start) {
      long left = start == Cursor.DONE ? 0 : aggregators.domainEnd(own) - start;
      return window.take(Math.min(settings.windowBytes(), left));
    }

    /**
     * The second half of a read: aggregators answer, and each rank puts the bytes in their place.
     */
    private void answer(Message[] messages, MemorySegment asked, long[] askedBytes) {
      long[] answerBytes = new long[group.size()];
      MemorySegment send = own < 0 ? answers.take(0) : readWindow(asked, askedBytes, answerBytes);
      long[] comingBytes = new long[group.size()];
      long coming = 0;
      for (int a = 0; a < messages.length; a++) {
        comingBytes[aggregators.rank(a)] = messages[a].dataBytes;
        coming += messages[a].dataBytes;
      }
      MemorySegment received = outgoing.take(coming);
      group.allToAll(send, answerBytes, received, comingBytes, rankBytesMax(write));
      long at = 0;
      for (Message message : messages) at = message.load(received, at, memory);
    }

    private MemorySegment readWindow(MemorySegment asked, long[] askedBytes, long[] answerBytes) {
      long start = windowStarts[own];
      MemorySegment buffer = takeWindow(start);
      spans.clear();
      long[] total = new long[1];
      eachPart(
          asked,
          askedBytes,
          (offset, bytes, at, age) -> {
            spans.add(offset, bytes);
            total[0] += bytes;
          });
      try {
        spans.<IOException>forEach(
            settings.windowBytes(),
            (from, to, holes) -> readFully(file, buffer.asSlice(from - start, to - from), from));
      } catch (IOException e) {
        failed(e);
      }
      MemorySegment send = answers.take(total[0]);
      long at = 0;
      long message = 0;
      for (int rank = 0; rank < askedBytes.length; rank++) {
        long before = at;
        if (askedBytes[rank] > 0) {
          at = copyAnswer(asked.asSlice(message, askedBytes[rank]), buffer, send, at, start);
        }
        answerBytes[rank] = at - before;
        message += askedBytes[rank];
      }
      return send;
    }

    private static long copyAnswer(
        MemorySegment message, MemorySegment buffer, MemorySegment send, long to, long start) {
      long at = to;
      long parts = message.get(NUMBER, 0);
      for (long i = 0; i < parts; i++) {
        long offset = message.get(NUMBER, Long.BYTES + i * PART_BYTES);
        long bytes = message.get(NUMBER, Long.BYTES + i * PART_BYTES + Long.BYTES);
        MemorySegment.copy(buffer, offset - start, send, at, bytes);
        at += bytes;
      }
      return at;
    }
  }

  /** Visits the parts of all messages, rank by rank, with the position of their bytes. */
  private static void eachPart(MemorySegment received, long[] receiveBytes, Cursor.Sink sink) {
    long message = 0;
    for (long bytes : receiveBytes) {
      if (bytes > 0) {
        long parts = received.get(NUMBER, message);
        long data = message + Long.BYTES + parts * PART_BYTES;
        for (long i = 0; i < parts; i++) {
          long at = message + Long.BYTES + i * PART_BYTES;
          long length = received.get(NUMBER, at + Long.BYTES);
          int age = (int) received.get(NUMBER, at + 2 * Long.BYTES);
          sink.part(received.get(NUMBER, at), length, data, age);
          data += length;
        }
      }
      message += bytes;
    }
  }

  /** Reads, with zeros for what lies behind the end of the file. */
  static void readFully(SharedFile file, MemorySegment target, long offset) throws IOException {
    long read = file.read(target, offset);
    target.asSlice(read).fill((byte) 0);
  }

  private void failed(IOException e) {
    if (failure == null) failure = e;
    else failure.addSuppressed(e);
  }

  /**
   * The most that a rank sends or receives in a round: a window for every rank, or for every
   * aggregator, with the headers of its parts.
   */
  private long rankBytesMax(boolean write) {
    // Parts do not overlap, and writes come in slices with a bounded number of runs.
    long partsMax = write ? Math.min(settings.windowBytes(), PARTS_MAX) : settings.windowBytes();
    return group.size() * (settings.windowBytes() + Long.BYTES + partsMax * PART_BYTES);
  }

  private static long sum(long[] values) {
    long sum = 0;
    for (long value : values) sum += value;
    return sum;
  }

  /** The parts that go to one aggregator in one round. */
  private static final class Message {
    private static final int PART_NUMBERS = 4;

    /** Offset, length, place in memory and age of each part. */
    private long[] parts = new long[PART_NUMBERS * 8];

    private int count;
    private long dataBytes;

    void add(long offset, long bytes, long memoryOffset, int age) {
      if (PART_NUMBERS * count == parts.length) parts = Arrays.copyOf(parts, 2 * parts.length);
      parts[PART_NUMBERS * count] = offset;
      parts[PART_NUMBERS * count + 1] = bytes;
      parts[PART_NUMBERS * count + 2] = memoryOffset;
      parts[PART_NUMBERS * count + 3] = age;
      count++;
      dataBytes += bytes;
    }

    long bytes(boolean withData) {
      if (count == 0) return 0;
      return Long.BYTES + (long) count * PART_BYTES + (withData ? dataBytes : 0);
    }

    /** Writes the message; returns where it ends. */
    long store(MemorySegment target, long from, @Nullable MemorySegment memory) {
      if (count == 0) return from;
      long at = from;
      target.set(NUMBER, at, count);
      at += Long.BYTES;
      for (int i = 0; i < count; i++) {
        target.set(NUMBER, at, parts[PART_NUMBERS * i]);
        target.set(NUMBER, at + Long.BYTES, parts[PART_NUMBERS * i + 1]);
        target.set(NUMBER, at + 2 * Long.BYTES, parts[PART_NUMBERS * i + 3]);
        at += PART_BYTES;
      }
      if (memory == null) return at;
      for (int i = 0; i < count; i++) {
        MemorySegment.copy(
            memory, parts[PART_NUMBERS * i + 2], target, at, parts[PART_NUMBERS * i + 1]);
        at += parts[PART_NUMBERS * i + 1];
      }
      return at;
    }

    /** Takes the bytes of an answer; returns where it ends. */
    long load(MemorySegment source, long from, MemorySegment memory) {
      long at = from;
      for (int i = 0; i < count; i++) {
        MemorySegment.copy(
            source, at, memory, parts[PART_NUMBERS * i + 2], parts[PART_NUMBERS * i + 1]);
        at += parts[PART_NUMBERS * i + 1];
      }
      return at;
    }
  }

  @Override
  public void close() {
    outgoing.close();
    incoming.close();
    window.close();
    answers.close();
  }
}
