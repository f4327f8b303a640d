// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.Sighting;
import io.forebay.backing.WrappedStore;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One process's access to the simulated store. Each call of an operation is sent, carried out
 * later, in random order, and answered later still, if the process is alive. A paused process
 * continues its operation when it resumes; calls of a dead process may be carried out long after
 * its death. {@link BackingFaults} decides which calls fail.
 *
 * <p>An operation is a piece of code that calls the store several times. To pause it between two
 * calls, an exception leaves it, and it is rerun from its beginning with the answers so far.
 */
public final class SimulatedBacking implements Backing {
  private static final int PENDING_MAX = 64;

  /** Leaves an operation whose next call is pending. */
  private static final class Sent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Sent() {
      super(null, null, false, false);
    }
  }

  private interface ReadCall {
    int read(BackingStore from, ByteBuffer into) throws BackingException;
  }

  /** The result of a call: a value, or a failure. */
  private record Result(@Nullable Object value, @Nullable BackingFailure failure) {}

  private final SimulatedBackingStore store;
  private final BackingFaults weather;
  private final String host;
  private final SplittableRandom random;
  private final ArrayDeque<Runnable> due = new ArrayDeque<>();
  private int pending;
  private boolean closed;

  /** Attempts that the process has open, as one that writes to a directory has. */
  private final TreeSet<String> open = new TreeSet<>();

  /** The access of one machine to the store. */
  public SimulatedBacking(
      SimulatedBackingStore store, BackingFaults weather, String host, SplittableRandom random) {
    this.store = store;
    this.weather = weather;
    this.host = host;
    this.random = random;
  }

  /** Attempts that it has open. */
  public Set<String> open() {
    return closed ? Set.of() : Set.copyOf(open);
  }

  @Override
  public String description() {
    return store.description();
  }

  @Override
  public Capabilities capabilities() {
    return store.capabilities();
  }

  @Override
  public <T> void submit(Operation<T> operation, Completion<T> completion) {
    if (pending >= PENDING_MAX) throw new IllegalStateException("too many requests");
    pending++;
    // Later, and not on the caller's stack, as a thread would do it.
    due.add(() -> new Course<>(operation, completion).goOn());
  }

  /** An operation on its way, call by call. */
  private final class Course<T> extends WrappedStore {
    private final Operation<T> operation;
    private final Completion<T> completion;
    private final List<Result> results = new ArrayList<>();
    private int next;

    Course(Operation<T> operation, Completion<T> completion) {
      super(store);
      this.operation = operation;
      this.completion = completion;
    }

    void goOn() {
      next = 0;
      Answer<T> answer;
      try {
        answer = new Answer.Done<>(operation.on(this));
      } catch (BackingException e) {
        answer = new Answer.Failed<>(e.failure());
      } catch (Sent sent) {
        return;
      }
      pending--;
      completion.completed(answer);
    }

    @Override
    protected <V> V call(long bytes, Operation<V> call) throws BackingException {
      return call(call, false, null);
    }

    @SuppressWarnings("unchecked")
    private <V> V call(Operation<V> call, boolean space, @Nullable Attempt forced)
        throws BackingException {
      if (next == results.size()) {
        weather.after(weather.delayNanos(random), () -> arrived(call, space, forced));
        throw new Sent();
      }
      Result result = results.get(next++);
      if (result.failure() != null) throw new BackingException(result.failure());
      return (V) Objects.requireNonNull(result.value());
    }

    @Override
    public Attempt begin(AttemptPlan plan) throws BackingException {
      return call(to -> to.begin(plan), true, null);
    }

    @Override
    public void force(Attempt attempt) throws BackingException {
      call(
          to -> {
            to.force(attempt);
            return true;
          },
          false,
          attempt);
      open.remove(attempt.id().text());
    }

    /**
     * Closes the attempt's file before it removes it, as the directory store does: whatever the
     * store answers, the attempt is no longer open here.
     */
    @Override
    public void abort(Attempt attempt) throws BackingException {
      open.remove(attempt.id().text());
      super.abort(attempt);
    }

    /** Affects this process alone, and fails if the store does not even report its contents. */
    @Override
    public void release(Attempt attempt) throws BackingException {
      if (look(attempt, attempt.plan().target()) == Sighting.PENDING) force(attempt);
      open.remove(attempt.id().text());
    }

    @Override
    public void write(Attempt attempt, long offset, List<ByteBuffer> source)
        throws BackingException {
      // A copy of the bytes: a call in flight carries them.
      int bytes = 0;
      for (ByteBuffer part : source) bytes += part.remaining();
      ByteBuffer copy = ByteBuffer.allocate(bytes);
      for (ByteBuffer part : source) copy.put(part.duplicate());
      copy.flip();
      open.add(attempt.id().text());
      call(to -> written(to, attempt, offset, copy), true, null);
      for (ByteBuffer part : source) part.position(part.limit());
    }

    private static boolean written(BackingStore to, Attempt attempt, long offset, ByteBuffer bytes)
        throws BackingException {
      to.write(attempt, offset, List.of(bytes.duplicate()));
      return true;
    }

    @Override
    public int read(BackingPath path, String version, long offset, ByteBuffer target)
        throws BackingException {
      return read(target, (to, into) -> to.read(path, version, offset, into));
    }

    @Override
    public int read(Attempt attempt, long offset, ByteBuffer target) throws BackingException {
      return read(target, (to, into) -> to.read(attempt, offset, into));
    }

    private int read(ByteBuffer target, ReadCall reading) throws BackingException {
      int length = target.remaining();
      ByteBuffer answer =
          call(
              length,
              to -> {
                ByteBuffer found = ByteBuffer.allocate(length);
                reading.read(to, found);
                return found.flip();
              });
      int found = answer.remaining();
      target.put(answer.duplicate());
      return found;
    }

    /** Looks, then deletes, like stores that cannot do both in one step. */
    @Override
    public void delete(BackingPath path, String version) throws BackingException {
      if (!version.isEmpty() && !stat(path).version().equals(version)) {
        throw new BackingException(new BackingFailure.Changed(path + " is another one"));
      }
      super.delete(path, ANY_VERSION);
    }

    private <V> void arrived(Operation<V> call, boolean space, @Nullable Attempt forced) {
      if (closed) {
        if (weather.outlivesItsSender(random)) {
          weather.after(weather.lateNanos(random), () -> late(call));
        }
        return;
      }
      BackingFaults.Outcome outcome = weather.outcome(space, random);
      BackingFailure failure = weather.failure(outcome);
      Object value = null;
      if (outcome.carriedOut()) {
        try {
          store.callFrom(host);
          value = call.on(store);
        } catch (BackingException e) {
          // A process that gets no answers does not get this one either.
          if (failure == null) failure = e.failure();
        }
      } else if (outcome.carriedOutLater()) {
        weather.after(weather.lateNanos(random), () -> late(call));
      }
      if (failure != null && forced != null) store.forceFailed(forced.id(), host);
      Result result = new Result(value, failure);
      weather.after(weather.answerNanos(random), () -> answered(result));
    }

    private <V> void late(Operation<V> call) {
      try {
        store.callFrom(host);
        call.on(store);
        weather.carriedOutLate();
      } catch (BackingException e) {
        weather.refusedLate();
      }
    }

    private void answered(Result result) {
      if (closed) return;
      due.add(
          () -> {
            results.add(result);
            goOn();
          });
    }
  }

  @Override
  public int poll() {
    int count = 0;
    for (Runnable next = due.poll(); next != null; next = due.poll()) {
      count++;
      next.run();
    }
    return count;
  }

  @Override
  public int pending() {
    return pending;
  }

  @Override
  public int room() {
    return PENDING_MAX - pending;
  }

  @Override
  public void await(long timeoutNanos) {
    throw new UnsupportedOperationException("no thread waits in a simulation");
  }

  @Override
  public void close() {
    closed = true;
  }
}
