// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.backing;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.WrappedStore;
import io.forebay.backing.discard.NullStore;
import io.forebay.base.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A backing store for tests of parts: answers at once, keeps nothing, and fails when told to. */
public final class DirectBacking implements Backing {
  /** What was written, in one request. */
  public record Write(String attempt, long offset, Bytes bytes) {}

  private final List<Write> written = new ArrayList<>();
  private final List<String> released = new ArrayList<>();
  private final List<String> aborted = new ArrayList<>();
  private @Nullable BackingFailure failure;
  private @Nullable Capabilities capabilities;
  private int room = 1;

  private final BackingStore store =
      new WrappedStore(new NullStore()) {
        @Override
        protected <T> T call(long bytes, Operation<T> operation) throws BackingException {
          return operation.on(inner);
        }

        @Override
        public void write(Attempt attempt, long offset, List<ByteBuffer> source) {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          for (ByteBuffer each : source) {
            while (each.hasRemaining()) bytes.write(each.get());
          }
          Bytes copy = Bytes.copyOf(ByteBuffer.wrap(bytes.toByteArray()));
          written.add(new Write(attempt.id().text(), offset, copy));
        }

        @Override
        public void release(Attempt attempt) {
          released.add(attempt.id().text());
        }

        @Override
        public void abort(Attempt attempt) {
          aborted.add(attempt.id().text());
        }
      };

  /** The requests to write that did not fail. */
  public List<Write> written() {
    return written;
  }

  /** The attempts that were released. */
  public List<String> released() {
    return released;
  }

  /** The attempts that were aborted. */
  public List<String> aborted() {
    return aborted;
  }

  /** From now on every request fails like this; with null, none does. */
  public void fail(@Nullable BackingFailure how) {
    failure = how;
  }

  /** From now on it declares these; before, those of a store that keeps nothing. */
  public void declare(Capabilities can) {
    capabilities = can;
  }

  public void setRoom(int requests) {
    room = requests;
  }

  @Override
  public String description() {
    return store.description();
  }

  @Override
  public Capabilities capabilities() {
    return capabilities == null ? store.capabilities() : capabilities;
  }

  @Override
  public <T> void submit(Operation<T> operation, Completion<T> completion) {
    completion.completed(answer(operation));
  }

  private <T> Answer<T> answer(Operation<T> operation) {
    if (failure != null) return new Answer.Failed<>(failure);
    try {
      return new Answer.Done<>(operation.on(store));
    } catch (BackingException e) {
      return new Answer.Failed<>(e.failure());
    }
  }

  @Override
  public int poll() {
    return 0;
  }

  @Override
  public int pending() {
    return 0;
  }

  @Override
  public int room() {
    return room;
  }

  @Override
  public void await(long timeoutNanos) {}

  @Override
  public void close() {}
}
