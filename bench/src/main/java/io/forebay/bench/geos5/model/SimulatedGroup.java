// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.SimulatedTeam.Traffic;
import io.forebay.parallel.Group;
import io.forebay.parallel.Operation;
import io.forebay.parallel.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One simulated rank's view of a group. Only the rank's own coroutine calls it. Values and messages
 * in real memory arrive as they were sent; messages in {@link SimulatedMemory} take time only.
 */
final class SimulatedGroup implements Group {
  private static final Object NOTHING = new Object();

  /** Calls of {@link #awaitAny} that may return at once without anything new in between. */
  private static final int IDLE_RETURNS_MAX = 64;

  private final SimulatedTeam team;
  private final SimulatedJob job;
  private final int rank;
  private long finishedSeen;
  private int idleReturns;

  SimulatedGroup(SimulatedTeam team, int rank) {
    this.team = team;
    this.rank = rank;
    job = team.job();
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return team.size();
  }

  @Override
  public int node(int other) {
    return team.node(other);
  }

  @Override
  public void barrier() {
    meet("barrier", NOTHING, Traffic.ONCE, 0);
  }

  @Override
  public byte[] broadcast(byte[] bytes, int root) {
    boolean isRoot = rank == root;
    Object[] all =
        meet(
            "broadcast from " + root,
            isRoot ? bytes.clone() : NOTHING,
            Traffic.ONCE,
            isRoot ? bytes.length : 0);
    return ((byte[]) all[root]).clone();
  }

  @Override
  public void broadcast(MemorySegment memory, int root) {
    requireShared(memory);
    Object[] all =
        meet("broadcast of memory from " + root, memory, Traffic.ONCE, memory.byteSize());
    MemorySegment source = (MemorySegment) all[root];
    if (source.byteSize() != memory.byteSize()) {
      throw new IllegalArgumentException(
          "memory of %d bytes for a broadcast of %d"
              .formatted(memory.byteSize(), source.byteSize()));
    }
    if (rank != root && SimulatedMemory.isReal(memory)) memory.copyFrom(source);
    meet("end of broadcast", NOTHING, Traffic.ONCE, 0);
  }

  @Override
  public List<byte[]> gather(byte[] bytes, int root) {
    Object[] all = meet("gather at " + root, bytes.clone(), Traffic.SUM, bytes.length);
    return rank == root ? arrays(all) : List.of();
  }

  @Override
  public List<byte[]> allGather(byte[] bytes) {
    return arrays(meet("all-gather", bytes.clone(), Traffic.SUM, bytes.length));
  }

  private static List<byte[]> arrays(Object[] all) {
    List<byte[]> arrays = new ArrayList<>();
    for (Object one : all) arrays.add(((byte[]) one).clone());
    return arrays;
  }

  @Override
  public long[] allGather(long[] values) {
    int each = values.length;
    Object[] all =
        meet("all-gather of " + each, values.clone(), Traffic.SUM, (long) Long.BYTES * each);
    long[] result = new long[all.length * each];
    for (int other = 0; other < all.length; other++) {
      System.arraycopy((long[]) all[other], 0, result, other * each, each);
    }
    return result;
  }

  @Override
  public long[] allReduce(long[] values, Reduction reduction) {
    Object[] all = reduced(values.clone(), values.length, reduction);
    long[] result = ((long[]) all[0]).clone();
    for (int other = 1; other < all.length; other++) {
      long[] more = (long[]) all[other];
      for (int i = 0; i < result.length; i++) {
        result[i] =
            switch (reduction) {
              case MIN -> Math.min(result[i], more[i]);
              case MAX -> Math.max(result[i], more[i]);
              case SUM -> result[i] + more[i];
            };
      }
    }
    return result;
  }

  @Override
  public double[] allReduce(double[] values, Reduction reduction) {
    Object[] all = reduced(values.clone(), values.length, reduction);
    double[] result = ((double[]) all[0]).clone();
    for (int other = 1; other < all.length; other++) {
      double[] more = (double[]) all[other];
      for (int i = 0; i < result.length; i++) {
        result[i] =
            switch (reduction) {
              case MIN -> Math.min(result[i], more[i]);
              case MAX -> Math.max(result[i], more[i]);
              case SUM -> result[i] + more[i];
            };
      }
    }
    return result;
  }

  private Object[] reduced(Object values, int count, Reduction reduction) {
    String operation =
        "all-reduce of %d %s by %s".formatted(count, values.getClass().getSimpleName(), reduction);
    return meet(operation, values, Traffic.ONCE, 2L * Long.BYTES * count);
  }

  @Override
  public long[] allToAll(long[] values) {
    if (values.length != size()) {
      throw new IllegalArgumentException(values.length + " numbers for " + size() + " ranks");
    }
    Object[] all =
        meet("all-to-all of numbers", values.clone(), Traffic.SUM, (long) Long.BYTES * size());
    long[] result = new long[size()];
    for (int from = 0; from < size(); from++) result[from] = ((long[]) all[from])[rank];
    return result;
  }

  @Override
  public void allToAll(
      MemorySegment send, long[] sendBytes, MemorySegment receive, long[] receiveBytes) {
    allToAll(send, sendBytes, receive, receiveBytes, Long.MAX_VALUE);
  }

  /** Sends every block as a message of its own, which takes the time that it takes. */
  @Override
  public void allToAll(
      MemorySegment send,
      long[] sendBytes,
      MemorySegment receive,
      long[] receiveBytes,
      long rankBytesMax) {
    requireBlocks(send, sendBytes, rankBytesMax);
    requireBlocks(receive, receiveBytes, rankBytesMax);
    List<Operation> all = new ArrayList<>();
    long at = 0;
    for (int from = 0; from < size(); from++) {
      MemorySegment block = receive.asSlice(at, receiveBytes[from]);
      all.add(team.mail().receive(from, rank, Integer.MIN_VALUE, block, true));
      at += receiveBytes[from];
    }
    at = 0;
    for (int to = 0; to < size(); to++) {
      MemorySegment block = send.asSlice(at, sendBytes[to]);
      all.add(team.mail().send(rank, to, Integer.MIN_VALUE, block));
      at += sendBytes[to];
    }
    for (Operation operation : all) await(operation);
  }

  private void requireBlocks(MemorySegment memory, long[] blockBytes, long most) {
    requireShared(memory);
    if (blockBytes.length != size()) {
      throw new IllegalArgumentException(blockBytes.length + " blocks for " + size() + " ranks");
    }
    long total = Arrays.stream(blockBytes).sum();
    if (total > memory.byteSize() || total > most) {
      throw new IllegalArgumentException(
          "blocks of %d bytes in memory of %d, where %d is the most"
              .formatted(total, memory.byteSize(), most));
    }
  }

  @Override
  public void send(int to, int tag, MemorySegment message) {
    await(postSend(to, tag, message));
  }

  @Override
  public long receive(int from, int tag, MemorySegment memory) {
    requireRank(from);
    requireShared(memory);
    SimulatedMail.Side receive = team.mail().receive(from, rank, tag, memory, false);
    await(receive);
    return receive.bytes();
  }

  @Override
  public long exchange(int to, MemorySegment message, int from, MemorySegment memory, int tag) {
    requireRank(from);
    requireShared(memory);
    Operation sent = postSend(to, tag, message);
    long bytes = receive(from, tag, memory);
    await(sent);
    return bytes;
  }

  @Override
  public Operation postSend(int to, int tag, MemorySegment message) {
    requireRank(to);
    requireShared(message);
    return team.mail().send(rank, to, tag, message);
  }

  @Override
  public Operation postReceive(int from, int tag, MemorySegment memory) {
    requireRank(from);
    requireShared(memory);
    return team.mail().receive(from, rank, tag, memory, true);
  }

  @Override
  public Operation postTask(Runnable task) {
    SimulatedOperation operation = new SimulatedOperation(job, job.rank(team.worldRank(rank)));
    VirtualTime time = job.time();
    int world = team.worldRank(rank);
    int node = job.network().node(world);
    Runnable program =
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            job.fail(world, e);
          }
          time.sleepUntil(time.nanos());
          operation.finish();
        };
    time.at(
        time.nanos(),
        () -> time.start("a task of rank " + world, node, new VirtualTime.Processor(), program));
    return operation;
  }

  @Override
  public void awaitAny(List<? extends Operation> operations) {
    if (operations.isEmpty()) throw new IllegalArgumentException("no operations to wait for");
    SimulatedJob.Rank self = job.rank(team.worldRank(rank));
    // Asking for many takes its time, in which more of them end.
    job.time().spend(operations.size() * job.machine().messages().matchNanos());
    if (anyDone(operations)) {
      idleReturns = self.finished == finishedSeen ? idleReturns + 1 : 0;
      finishedSeen = self.finished;
      // A program that asks again and again for what is done polls, until something else is.
      if (idleReturns > IDLE_RETURNS_MAX && waitFor(operations)) {
        while (self.finished == finishedSeen) {
          job.check();
          job.time().await(() -> description(operations));
        }
      }
      return;
    }
    while (!anyDone(operations)) {
      waitFor(operations);
      job.time().await(() -> description(operations));
    }
    finishedSeen = self.finished;
    idleReturns = 0;
  }

  /** Has the running coroutine woken by the operations that are not done; false if all are. */
  private boolean waitFor(List<? extends Operation> operations) {
    boolean any = false;
    for (Operation each : operations) {
      SimulatedOperation operation = (SimulatedOperation) each;
      if (operation.hasEnded()) continue;
      operation.wakeWhenDone(job.time().running());
      any = true;
    }
    return any;
  }

  private static boolean anyDone(List<? extends Operation> operations) {
    for (Operation operation : operations) {
      if (operation.isDone()) return true;
    }
    return false;
  }

  private static String description(List<? extends Operation> operations) {
    String first = ((SimulatedOperation) operations.getFirst()).description();
    return operations.size() == 1
        ? first
        : "%s and %d more".formatted(first, operations.size() - 1);
  }

  private void requireRank(int other) {
    if (other < 0 || other >= size()) {
      throw new IllegalArgumentException("rank " + other + " of " + size());
    }
  }

  private static void requireShared(MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException("ranks exchange memory off the heap, not " + memory);
    }
  }

  @Override
  public Group split(int colour) {
    Object[] colours = meet("split", colour, Traffic.SUM, Integer.BYTES);
    int[] ranks = new int[size()];
    int count = 0;
    int own = 0;
    for (int other = 0; other < size(); other++) {
      if ((int) colours[other] != colour) continue;
      if (other == rank) own = count;
      ranks[count++] = other;
    }
    // Its first rank makes the team, the others are handed it.
    Object made = own == 0 ? team.part(Arrays.copyOf(ranks, count)) : NOTHING;
    Object[] teams = meet("end of split", made, Traffic.ONCE, 0);
    return new SimulatedGroup((SimulatedTeam) teams[ranks[0]], own);
  }

  /** Ranks have one coroutine each, beside those of their tasks, which use no group. */
  @Override
  public boolean allowsThreads() {
    return false;
  }

  private Object[] meet(String operation, Object thing, Traffic traffic, long bytes) {
    @Nullable Object[] all = team.meet(rank, operation, thing, traffic, bytes);
    Object[] complete = new Object[all.length];
    for (int i = 0; i < all.length; i++) complete[i] = all[i] == null ? NOTHING : all[i];
    return complete;
  }

  @Override
  public void close() {
    // A view holds nothing.
  }
}
