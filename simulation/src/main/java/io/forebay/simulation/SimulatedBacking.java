package io.forebay.simulation;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.Capabilities;
import io.forebay.base.Timers;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/**
 * One seat's way to the simulated store. What is asked is done later, in no particular order, and
 * also if the one who asked has been stopped meanwhile; now and then it fails, before it was done
 * or after.
 */
final class SimulatedBacking implements Backing {
  private static final int PENDING_MAX = 64;
  private static final long DELAY_NANOS_MIN = 50_000;
  private static final long DELAY_NANOS_MAX = 20_000_000;

  /** Once in so often a request takes long, longer than it takes to find a seat dead. */
  private static final int LATE_ONE_IN = 200;

  private static final long LATE_NANOS = 5_000_000_000L;

  private final SimulatedStore store;
  private final Timers timers;
  private final SplittableRandom random;
  private final IntSupplier failsOneIn;
  private final ArrayDeque<Runnable> due = new ArrayDeque<>();
  private int pending;
  private boolean closed;

  /**
   * A way to the store.
   *
   * @param timers the world's, which go on when a process ends
   * @param failsOneIn how seldom a request fails; 0 for never
   */
  SimulatedBacking(
      SimulatedStore store, Timers timers, SplittableRandom random, IntSupplier failsOneIn) {
    this.store = store;
    this.timers = timers;
    this.random = random;
    this.failsOneIn = failsOneIn;
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
    long nanos =
        failsOneIn.getAsInt() > 0 && random.nextInt(LATE_ONE_IN) == 0
            ? LATE_NANOS
            : random.nextLong(DELAY_NANOS_MIN, DELAY_NANOS_MAX);
    timers.after(
        nanos,
        () -> {
          // A dead process writes nothing; what it had asked of others is as good as not asked.
          if (closed) return;
          Answer<T> answer = carryOut(operation);
          due.add(() -> completion.completed(answer));
        });
  }

  private <T> Answer<T> carryOut(Operation<T> operation) {
    int oneIn = failsOneIn.getAsInt();
    boolean fails = oneIn > 0 && random.nextInt(oneIn) == 0;
    boolean first = random.nextBoolean();
    Answer<T> unavailable =
        new Answer.Failed<>(new BackingFailure.Unavailable("the simulated store is away"));
    if (fails && first) return unavailable;
    try {
      T value = operation.on(store);
      // It was done, and nobody hears of it.
      return fails ? unavailable : new Answer.Done<>(value);
    } catch (BackingException e) {
      return new Answer.Failed<>(e.failure());
    }
  }

  @Override
  public int poll() {
    int count = 0;
    for (Runnable next = due.poll(); next != null; next = due.poll()) {
      pending--;
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
    throw new UnsupportedOperationException("nobody waits in a simulation");
  }

  @Override
  public void close() {
    closed = true;
  }
}
