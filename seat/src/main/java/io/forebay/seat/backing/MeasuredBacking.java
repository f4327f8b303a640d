// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.backing;

import io.forebay.backing.Backing;
import io.forebay.backing.Capabilities;
import io.forebay.base.Timers;
import io.forebay.seat.part.SeatLatencies;

/** A backing store whose calls are measured, from their submission to their answer. */
final class MeasuredBacking implements Backing {
  private final Backing inner;
  private final Timers timers;
  private final SeatLatencies latencies;

  MeasuredBacking(Backing inner, Timers timers, SeatLatencies latencies) {
    this.inner = inner;
    this.timers = timers;
    this.latencies = latencies;
  }

  @Override
  public String description() {
    return inner.description();
  }

  @Override
  public Capabilities capabilities() {
    return inner.capabilities();
  }

  @Override
  public <T> void submit(Operation<T> operation, Completion<T> completion) {
    long startNanos = timers.nanos();
    inner.submit(
        operation,
        answer -> {
          latencies.add(SeatLatencies.Operation.BACKING, timers.nanos() - startNanos);
          completion.completed(answer);
        });
  }

  @Override
  public int poll() {
    return inner.poll();
  }

  @Override
  public int pending() {
    return inner.pending();
  }

  @Override
  public int room() {
    return inner.room();
  }

  @Override
  public void await(long timeoutNanos) throws InterruptedException {
    inner.await(timeoutNanos);
  }

  @Override
  public void close() {
    inner.close();
  }
}
