// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.backing;

import io.forebay.backing.Backing;
import io.forebay.backing.Capabilities;
import io.forebay.backing.pack.PackCache;
import io.forebay.backing.pack.PackedStore;

/**
 * A backing store that shows the files in its packs, for instances that pack or that lie over a
 * store. Each operation uses the packs that were known when it was submitted; packs that it has
 * read are known after its answer.
 */
final class PackedBacking implements Backing {
  private record Result<T>(T value, PackCache known) {}

  private final Backing inner;

  /** Never changed, only exchanged: operations read it on other threads. */
  private PackCache known = new PackCache();

  PackedBacking(Backing inner) {
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
    PackCache before = known;
    inner.submit(
        store -> {
          PackedStore packed = new PackedStore(store, before);
          return new Result<>(operation.on(packed), packed.known());
        },
        answer ->
            completion.completed(
                switch (answer) {
                  case Answer.Done<Result<T>> done -> {
                    PackCache now = done.value().known();
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
