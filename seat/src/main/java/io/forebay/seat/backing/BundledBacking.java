// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.backing;

import io.forebay.backing.Backing;
import io.forebay.backing.Capabilities;
import io.forebay.backing.bundle.BundleCache;
import io.forebay.backing.bundle.BundledStore;

/**
 * A backing store whose bundles are shown, for instances that bundle or that lie over a store. Each
 * operation sees what was known of bundles when it was submitted, and what it has read of them is
 * known when it has been answered.
 */
final class BundledBacking implements Backing {
  private record Result<T>(T value, BundleCache known) {}

  private final Backing inner;

  /** Never changed, only exchanged: operations read it on other threads. */
  private BundleCache known = new BundleCache();

  BundledBacking(Backing inner) {
    this.inner = inner;
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
    BundleCache before = known;
    inner.submit(
        store -> {
          BundledStore bundled = new BundledStore(store, before);
          return new Result<>(operation.on(bundled), bundled.known());
        },
        answer ->
            completion.completed(
                switch (answer) {
                  case Answer.Done<Result<T>> done -> {
                    BundleCache now = done.value().known();
                    if (now != before) known = now;
                    yield new Answer.Done<>(done.value().value());
                  }
                  case Answer.Failed<Result<T>> failed -> new Answer.Failed<>(failed.failure());
                }));
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
