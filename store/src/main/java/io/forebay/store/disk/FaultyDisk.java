// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.base.Answers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A simulated disk that delays and reorders requests, fails them, tears writes, forgets what was
 * not forced, and dies on command. The object is the device: after {@link #killProcess} or {@link
 * #powerCut} it serves the next simulated process, no completion of the former one ever runs, and
 * views handed out before are stale.
 *
 * <p>Everything it does follows from the generator and the calls, so a seed reproduces a run. One
 * thread; it knows no time, so {@link #await} carries something out instead of waiting.
 */
public final class FaultyDisk implements Disk {
  private static final int PENDING_MAX = 1 << 16;

  /** Completions that keep submitting would keep {@link #drainAll} busy forever. */
  private static final int DRAIN_ROUNDS_MAX = 1 << 18;

  private enum State {
    RUNNING,
    /** The process has died inside a call and must not make another. */
    CRASHED,
    CLOSED
  }

  private final RandomGenerator random;
  private final FaultyFiles files;
  private final Answers answers = new Answers(PENDING_MAX, () -> {});
  private final List<FaultyRequest> waiting = new ArrayList<>();
  private State state = State.RUNNING;
  private long steps;
  private long crashStep = Long.MAX_VALUE;

  /**
   * An empty disk.
   *
   * @param memory whether a power cut takes everything, as with a file system in memory
   */
  public FaultyDisk(RandomGenerator random, boolean memory, long capacityBytes, Faults faults) {
    this.random = random;
    this.files = new FaultyFiles(random, memory, capacityBytes, faults);
  }

  /** Changes the faults from now on. */
  public void setFaults(Faults faults) {
    files.setFaults(faults);
  }

  /**
   * Kills the process inside the n-th step from now: that call, and all after it, throw {@link
   * SimulatedCrash} until {@link #killProcess} or {@link #powerCut} start the next process. A
   * request that dies on submission was never made; one that dies on execution is in flight.
   */
  public void crashAfter(long operations) {
    if (operations <= 0) throw new IllegalArgumentException("crash after " + operations);
    crashStep = steps + operations;
  }

  /** How many requests were submitted, executed or served at once, over all processes. */
  public long steps() {
    return steps;
  }

  @Override
  public void create(String name, long bytes, Completion completion) {
    Requests.requireSize(name, bytes);
    submit(new FaultyRequest.Create(name, bytes, completion));
  }

  @Override
  public void write(String name, long position, ByteBuffer source, Completion completion) {
    submit(new FaultyRequest.Write(name, position, source, completion));
  }

  @Override
  public void read(String name, long position, ByteBuffer target, Completion completion) {
    submit(new FaultyRequest.Read(name, position, target, completion));
  }

  @Override
  public void force(String name, Completion completion) {
    submit(new FaultyRequest.Force(name, files.dirtySectors(name), completion));
  }

  @Override
  public void delete(String name, Completion completion) {
    submit(new FaultyRequest.Delete(name, completion));
  }

  @Override
  public void map(String name, Completion completion) {
    submit(new FaultyRequest.Map(name, completion));
  }

  @Override
  public ByteBuffer mapped(String name) {
    requireRunning();
    ByteBuffer view = files.mapped(name);
    if (view == null) throw new IllegalStateException(name + " is not mapped");
    return view;
  }

  /** Carries out any number of requests, in any order, then delivers due completions. */
  @Override
  public int poll() {
    if (state == State.CLOSED) return 0;
    requireRunning();
    for (int left = random.nextInt(waiting.size() + 1); left > 0; left--) step();
    return answers.poll();
  }

  @Override
  public int pending() {
    return answers.pending();
  }

  /**
   * Carries out a request, so that the next poll has a completion to deliver if any request is
   * left.
   */
  @Override
  public void await(long timeoutNanos) {
    step();
  }

  /** Carries out one pending request at random; false if there is none. */
  public boolean step() {
    requireRunning();
    if (waiting.isEmpty()) return false;
    int chosen = random.nextInt(waiting.size());
    FaultyRequest request = waiting.get(chosen);
    // Still waiting while it is counted: if the process dies now, the request is in flight.
    countStep();
    waiting.remove(chosen);
    Outcome outcome = files.carryOut(request);
    answers.answer(() -> request.completion().completed(outcome));
    return true;
  }

  /** Carries out and delivers everything, including the requests of completions. */
  public void drainAll() {
    for (int round = 0; round < DRAIN_ROUNDS_MAX; round++) {
      boolean idle = !step() && answers.poll() == 0;
      if (idle) return;
    }
    throw new IllegalStateException("not idle after " + DRAIN_ROUNDS_MAX + " rounds");
  }

  @Override
  public List<FileEntry> list() {
    countStep();
    return files.list();
  }

  @Override
  public void readNow(String name, long position, ByteBuffer target) throws IOException {
    Requests.requirePlainName(name);
    countStep();
    files.read(name, position, target);
  }

  @Override
  public void scan(String name, long from, long to, int chunkBytes, ScanVisitor visitor)
      throws IOException {
    Requests.requirePlainName(name);
    Requests.requireScan(from, to, chunkBytes);
    Requests.requireInside(name, from, to - from, files.file(name).bytes());
    ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(chunkBytes, to - from));
    for (long position = from; position < to; position += chunkBytes) {
      int bytes = (int) Math.min(chunkBytes, to - position);
      ByteBuffer target = chunk.clear().limit(bytes);
      long at = position;
      countStep();
      boolean readable = Outcomes.of(() -> files.read(name, at, target)).succeeded();
      visitor.chunk(position, bytes, readable ? target.flip() : null);
    }
  }

  /**
   * Ends the process without a crash: each request in flight is carried out completely or not at
   * all.
   */
  @Override
  public void close() {
    // A dead process cannot close anything; the kind of its death decides about its requests.
    if (state != State.RUNNING) return;
    while (!waiting.isEmpty()) {
      FaultyRequest request = takeAny();
      if (random.nextBoolean()) files.carryOut(request);
    }
    answers.abandon();
    state = State.CLOSED;
  }

  /** The process dies, the machine stays up: everything that was written is still there. */
  public void killProcess() {
    while (!waiting.isEmpty()) {
      FaultyRequest request = takeAny();
      switch (random.nextInt(3)) {
        case 0 -> files.carryOut(request);
        case 1 -> files.carryOutPartly(request);
        default -> {}
      }
    }
    answers.abandon();
    files.killProcess();
    state = State.RUNNING;
    crashStep = Long.MAX_VALUE;
  }

  /** The machine loses power: forced bytes survive, and of the rest any sectors. */
  public void powerCut() {
    killProcess();
    files.powerCut();
  }

  /** Flips one bit of a file permanently, counted from its first byte's lowest bit. */
  public void flipBit(String name, long bit) throws IOException {
    files.file(name).flipBit(bit);
  }

  /** Flips a random bit of a file permanently and returns its position. */
  public long flipAnyBit(String name) throws IOException {
    FaultyFile file = files.file(name);
    long bit = random.nextLong((long) file.bytes() * Byte.SIZE);
    file.flipBit(bit);
    return bit;
  }

  /** Makes the sector at a position fail on every read until it is written again. */
  public void spoilSector(String name, long position) throws IOException {
    files.file(name).spoilSector(position);
  }

  private void submit(FaultyRequest request) {
    Requests.requirePlainName(request.name());
    countStep();
    answers.expect();
    waiting.add(request);
  }

  private void countStep() {
    requireRunning();
    steps++;
    if (steps < crashStep) return;
    state = State.CRASHED;
    throw new SimulatedCrash(steps);
  }

  private void requireRunning() {
    switch (state) {
      case RUNNING -> {}
      case CRASHED -> throw new SimulatedCrash(steps);
      case CLOSED -> throw new IllegalStateException("closed");
    }
  }

  private FaultyRequest takeAny() {
    return waiting.remove(random.nextInt(waiting.size()));
  }
}
