// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group whose ranks are threads of this process. Nothing is copied in between: the receiver
 * copies from the sender's memory, which the sender leaves unchanged until both have met again.
 */
final class TeamGroup implements Group {
  /** What a rank brings to an exchange of blocks. */
  private record Blocks(MemorySegment memory, Offsets offsets) {}

  /** Where each block begins, and behind the last where it ends. */
  private static final class Offsets {
    final long[] starts;

    Offsets(long[] bytes) {
      starts = new long[bytes.length + 1];
      for (int i = 0; i < bytes.length; i++) starts[i + 1] = starts[i] + bytes[i];
    }

    long bytes(int block) {
      return starts[block + 1] - starts[block];
    }
  }

  private static final Object NOTHING = new Object();

  private final Team team;
  private final int rank;

  TeamGroup(Team team, int rank) {
    this.team = team;
    this.rank = rank;
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
    team.meet(rank, "barrier", NOTHING);
  }

  @Override
  public byte[] broadcast(byte[] bytes, int root) {
    // A copy even at the root: no rank sees later changes of another.
    Object[] all = meet("broadcast from " + root, rank == root ? bytes.clone() : NOTHING);
    return ((byte[]) all[root]).clone();
  }

  @Override
  public void broadcast(MemorySegment memory, int root) {
    SharedMemory.require(memory);
    Object[] all = meet("broadcast of memory from " + root, memory);
    MemorySegment source = (MemorySegment) all[root];
    if (source.byteSize() != memory.byteSize()) {
      throw new IllegalArgumentException(
          "memory of %d bytes for a broadcast of %d"
              .formatted(memory.byteSize(), source.byteSize()));
    }
    if (rank != root) memory.copyFrom(source);
    meet("end of broadcast", NOTHING);
  }

  @Override
  public List<byte[]> gather(byte[] bytes, int root) {
    Object[] all = meet("gather at " + root, bytes.clone());
    return rank == root ? arrays(all) : List.of();
  }

  @Override
  public List<byte[]> allGather(byte[] bytes) {
    return arrays(meet("all-gather", bytes.clone()));
  }

  @Override
  public long[] allGather(long[] values) {
    Object[] all = meet("all-gather of " + values.length, values.clone());
    long[] result = new long[all.length * values.length];
    for (int other = 0; other < all.length; other++) {
      System.arraycopy((long[]) all[other], 0, result, other * values.length, values.length);
    }
    return result;
  }

  private static List<byte[]> arrays(Object[] all) {
    List<byte[]> arrays = new ArrayList<>();
    for (Object one : all) arrays.add(((byte[]) one).clone());
    return arrays;
  }

  @Override
  public long[] allReduce(long[] values, Reduction reduction) {
    Object[] all = meet("all-reduce of " + values.length + " by " + reduction, values.clone());
    long[] result = ((long[]) all[0]).clone();
    for (int other = 1; other < all.length; other++) {
      long[] more = (long[]) all[other];
      for (int i = 0; i < result.length; i++) result[i] = reduction.apply(result[i], more[i]);
    }
    return result;
  }

  @Override
  public double[] allReduce(double[] values, Reduction reduction) {
    Object[] all =
        meet("all-reduce of " + values.length + " fractions by " + reduction, values.clone());
    double[] result = ((double[]) all[0]).clone();
    for (int other = 1; other < all.length; other++) {
      double[] more = (double[]) all[other];
      for (int i = 0; i < result.length; i++) result[i] = reduction.apply(result[i], more[i]);
    }
    return result;
  }

  @Override
  public long[] allToAll(long[] values) {
    if (values.length != size()) {
      throw new IllegalArgumentException(values.length + " numbers for " + size() + " ranks");
    }
    Object[] all = meet("all-to-all of numbers", values.clone());
    long[] result = new long[size()];
    for (int from = 0; from < size(); from++) result[from] = ((long[]) all[from])[rank];
    return result;
  }

  @Override
  public void allToAll(
      MemorySegment send, long[] sendBytes, MemorySegment receive, long[] receiveBytes) {
    SharedMemory.requireBlocks(send, sendBytes, size());
    SharedMemory.requireBlocks(receive, receiveBytes, size());
    Object[] all = meet("all-to-all", new Blocks(send, new Offsets(sendBytes)));
    long to = 0;
    for (int from = 0; from < size(); from++) {
      Blocks blocks = (Blocks) all[from];
      long bytes = blocks.offsets.bytes(rank);
      if (bytes != receiveBytes[from]) {
        throw new IllegalArgumentException(
            "rank %d sends %d bytes, not %d".formatted(from, bytes, receiveBytes[from]));
      }
      MemorySegment.copy(blocks.memory, blocks.offsets.starts[rank], receive, to, bytes);
      to += bytes;
    }
    meet("end of all-to-all", NOTHING);
  }

  @Override
  public void allToAll(
      MemorySegment send,
      long[] sendBytes,
      MemorySegment receive,
      long[] receiveBytes,
      long rankBytesMax) {
    SharedMemory.requireAtMost(rankBytesMax, sendBytes, receiveBytes);
    allToAll(send, sendBytes, receive, receiveBytes);
  }

  @Override
  public void send(int to, int tag, MemorySegment message) {
    await(posted(to, tag, message));
  }

  @Override
  public long receive(int from, int tag, MemorySegment memory) {
    Mailbox.Posted receive = receive(from, tag, memory, false);
    await(receive);
    return receive.bytes();
  }

  @Override
  public long exchange(int to, MemorySegment message, int from, MemorySegment memory, int tag) {
    requireRank(from);
    SharedMemory.require(memory);
    Operation sent = posted(to, tag, message);
    long bytes = receive(from, tag, memory);
    await(sent);
    return bytes;
  }

  @Override
  public Operation postSend(int to, int tag, MemorySegment message) {
    SharedMemory.requirePostable(message);
    return posted(to, tag, message);
  }

  private Operation posted(int to, int tag, MemorySegment message) {
    requireRank(to);
    SharedMemory.require(message);
    return team.mailbox().send(rank, to, tag, message);
  }

  @Override
  public Operation postReceive(int from, int tag, MemorySegment memory) {
    SharedMemory.requirePostable(memory);
    return receive(from, tag, memory, true);
  }

  private Mailbox.Posted receive(int from, int tag, MemorySegment memory, boolean exact) {
    requireRank(from);
    SharedMemory.require(memory);
    return team.mailbox().receive(from, rank, tag, memory, exact);
  }

  @Override
  public Operation postTask(Runnable task) {
    return team.start(task);
  }

  @Override
  public void awaitAny(List<? extends Operation> operations) {
    team.awaitAny(operations);
  }

  private void requireRank(int other) {
    if (other < 0 || other >= size()) {
      throw new IllegalArgumentException("rank " + other + " of " + size());
    }
  }

  @Override
  public Group split(int colour) {
    Object[] colours = meet("split", colour);
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
    Object[] teams = meet("end of split", made);
    return new TeamGroup((Team) teams[ranks[0]], own);
  }

  private Object[] meet(String operation, Object thing) {
    @Nullable Object[] all = team.meet(rank, operation, thing);
    Object[] complete = new Object[all.length];
    for (int i = 0; i < all.length; i++) complete[i] = all[i] == null ? NOTHING : all[i];
    return complete;
  }

  @Override
  public void close() {
    // Threads share only memory, which the collector takes.
  }
}
