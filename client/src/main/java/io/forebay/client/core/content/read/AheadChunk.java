// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.base.RecordId;
import io.forebay.client.core.route.RequestFailed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A part of a file that is fetched ahead: its records and their bytes. */
final class AheadChunk {
  private enum State {
    FLYING,
    HERE,
    FAILED
  }

  /** A read that needs bytes which are being fetched. */
  private record Waiter(
      RecordFetch.Source source, ByteBuffer place, Fetch.Outcome outcome, long sinceNanos) {}

  /** A run of bytes of one record. */
  private final class Part implements Fetch.Outcome {
    private final RecordFetch.Source source;
    private final ByteBuffer bytes;
    private final List<Waiter> waiters = new ArrayList<>();
    private State state = State.FLYING;

    Part(RecordFetch.Source source, ByteBuffer bytes) {
      this.source = source;
      this.bytes = bytes;
    }

    boolean has(RecordFetch.Source wanted, int lengthBytes) {
      RecordId record = wanted.record();
      long from = (long) wanted.recordOffset() - source.recordOffset();
      return state != State.FAILED
          && source.record().equals(record)
          && source.instance() == wanted.instance()
          && from >= 0
          && from + lengthBytes <= bytes.capacity();
    }

    void give(Waiter to) {
      int from = to.source().recordOffset() - source.recordOffset();
      to.place().put(0, bytes, from, to.place().remaining());
      to.outcome().fetched();
    }

    @Override
    public void fetched() {
      ended(State.HERE);
    }

    @Override
    public void failed(RequestFailed failure) {
      ended(State.FAILED);
    }

    private void ended(State how) {
      state = how;
      flying--;
      for (Waiter waiter : waiters) {
        if (how == State.HERE) give(waiter);
        else window.add(fetch(waiter));
      }
      waiters.clear();
      maybeGiveBack();
    }

    /** The read fetches the record itself, and reports any failure. */
    private RecordFetch fetch(Waiter waiter) {
      RecordFetch fetch =
          new RecordFetch(window, waiter.source(), waiter.place(), waiter.outcome());
      fetch.awaitedSince(waiter.sinceNanos());
      return fetch;
    }
  }

  private final ReadWindow window;
  private final AheadMemory memory;
  private final ByteBuffer bytes;
  private final long offset;
  private final long endOffset;
  private final List<Part> parts = new ArrayList<>();
  private int flying;
  private boolean dropped;

  /** For a range of the file. */
  AheadChunk(ReadWindow window, AheadMemory memory, ByteBuffer bytes, long offset, long endOffset) {
    this.window = window;
    this.memory = memory;
    this.bytes = bytes;
    this.offset = offset;
    this.endOffset = endOffset;
  }

  long endOffset() {
    return endOffset;
  }

  /** Starts to fetch its records. */
  void fetch(ReadPlan plan) {
    List<Fetch> fetches = new ArrayList<>();
    for (ReadPlan.Step step : plan.steps()) {
      RecordFetch.Source source = step.source();
      if (source == null) continue;
      ByteBuffer place = bytes.slice((int) (step.offset() - offset), step.lengthBytes());
      Part part = new Part(source, place);
      parts.add(part);
      fetches.add(new RecordFetch(window, source, place, part));
    }
    flying += fetches.size();
    for (Fetch fetch : fetches) window.add(fetch);
  }

  /** Gives bytes of a record to a place, now or when they are here; false if it has none. */
  boolean give(RecordFetch.Source source, ByteBuffer place, Fetch.Outcome outcome) {
    for (Part part : parts) {
      if (!part.has(source, place.remaining())) continue;
      long now = window.router().timers().nanos();
      Waiter waiter = new Waiter(source, place, outcome, now);
      if (part.state == State.HERE) part.give(waiter);
      else part.waiters.add(waiter);
      return true;
    }
    return false;
  }

  /** No new read will use it; waiting reads still get their bytes. */
  void drop() {
    if (dropped) return;
    dropped = true;
    maybeGiveBack();
  }

  private void maybeGiveBack() {
    if (dropped && flying == 0) memory.giveBack(bytes);
  }
}
