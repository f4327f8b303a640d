// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import static io.forebay.parallel.MpiLibrary.number;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A group whose ranks are processes of MPI. */
final class MpiGroup implements Group {
  /** Counts of MPI are ints; longer messages go in pieces, of which a shorter one is the last. */
  private static final long PIECE_BYTES = 1 << 30;

  /** The initial capacity, available from the first collective call on. */
  private static final long NUMBERS_MIN = 64;

  /** Programs use lower tags. */
  private static final int OWN_TAG = 30_000;

  /** How often an operation is asked for before its thread leaves the processor to others. */
  private static final int SPINS = 200;

  private static final long PAUSE_NANOS = 20_000;

  private final MpiLibrary mpi;
  private final MemorySegment communicator;
  private final boolean isWorld;
  private final int rank;
  private final int size;
  private int[] nodes = new int[0];

  /** Numbers that go in and come out of a collective call, kept from call to call. */
  private MemorySegment sent = MemorySegment.NULL;

  private MemorySegment heard = MemorySegment.NULL;

  private MpiGroup(MpiLibrary mpi, MemorySegment communicator, boolean isWorld) {
    this.mpi = mpi;
    this.communicator = communicator;
    this.isWorld = isWorld;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
      mpi.call("MPI_Comm_rank", communicator, number);
      rank = number.get(ValueLayout.JAVA_INT, 0);
      mpi.call("MPI_Comm_size", communicator, number);
      size = number.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /**
   * All ranks.
   *
   * @param ranksPerNode how many ranks are treated as one node; 0 for the real nodes
   */
  static MpiGroup world(MpiLibrary mpi, int ranksPerNode) {
    MpiGroup world = new MpiGroup(mpi, mpi.world(), true);
    world.nodes =
        ranksPerNode > 0
            ? Nodes.ofEqualSize(world.size, ranksPerNode)
            : Nodes.numbered(world.gathered(world.firstOnNode()));
    return world;
  }

  /** The lowest rank here that shares memory with this one. */
  private long firstOnNode() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = mpi.handleRoom(arena);
      mpi.call(
          "MPI_Comm_split_type",
          communicator,
          mpi.sharedMemory(),
          number(rank),
          mpi.noInfo(),
          room);
      try (MpiGroup node = new MpiGroup(mpi, mpi.handle(room), false)) {
        return node.allReduce((long) rank, Reduction.MIN);
      }
    }
  }

  /** One number of each rank. */
  private long[] gathered(long number) {
    return allGather(new long[] {number});
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int node(int other) {
    return nodes[other];
  }

  @Override
  public boolean allowsThreads() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment level = arena.allocate(ValueLayout.JAVA_INT);
      mpi.call("MPI_Query_thread", level);
      return level.get(ValueLayout.JAVA_INT, 0) >= MpiLibrary.THREAD_MULTIPLE;
    }
  }

  @Override
  public void barrier() {
    mpi.call("MPI_Barrier", communicator);
  }

  @Override
  public byte[] broadcast(byte[] bytes, int root) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_LONG, bytes.length);
      mpi.call("MPI_Bcast", length, number(1), mpi.longs(), number(root), communicator);
      int count = (int) length.get(ValueLayout.JAVA_LONG, 0);
      MemorySegment memory = arena.allocate(Math.max(1, count));
      if (rank == root) MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, count);
      mpi.call("MPI_Bcast", memory, number(count), mpi.bytes(), number(root), communicator);
      return memory.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Override
  public void broadcast(MemorySegment memory, int root) {
    SharedMemory.require(memory);
    long done = 0;
    while (done < memory.byteSize()) {
      int bytes = (int) Math.min(PIECE_BYTES, memory.byteSize() - done);
      MemorySegment piece = memory.asSlice(done, bytes);
      mpi.call("MPI_Bcast", piece, number(bytes), mpi.bytes(), number(root), communicator);
      done += bytes;
    }
  }

  @Override
  public List<byte[]> gather(byte[] bytes, int root) {
    try (Arena arena = Arena.ofConfined()) {
      Blocks blocks = new Blocks(arena, gathered(bytes.length));
      mpi.call(
          "MPI_Gatherv",
          copied(arena, bytes),
          number(bytes.length),
          mpi.bytes(),
          blocks.memory,
          blocks.counts,
          blocks.starts,
          mpi.bytes(),
          number(root),
          communicator);
      return rank == root ? blocks.arrays() : List.of();
    }
  }

  @Override
  public List<byte[]> allGather(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      Blocks blocks = new Blocks(arena, gathered(bytes.length));
      mpi.call(
          "MPI_Allgatherv",
          copied(arena, bytes),
          number(bytes.length),
          mpi.bytes(),
          blocks.memory,
          blocks.counts,
          blocks.starts,
          mpi.bytes(),
          communicator);
      return blocks.arrays();
    }
  }

  @Override
  public long[] allGather(long[] values) {
    int total = Math.multiplyExact(size, values.length);
    if (total == 0) return new long[0];
    makeRoom(total);
    MemorySegment.copy(values, 0, sent, ValueLayout.JAVA_LONG, 0, values.length);
    MemorySegment longs = mpi.longs();
    MemorySegment count = number(values.length);
    mpi.call("MPI_Allgather", sent, count, longs, heard, count, longs, communicator);
    return heardLongs(total);
  }

  private static MemorySegment copied(Arena arena, byte[] bytes) {
    MemorySegment memory = arena.allocate(Math.max(1, bytes.length));
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return memory;
  }

  /** Room for blocks of all ranks, one behind the other. */
  private static final class Blocks {
    final MemorySegment counts;
    final MemorySegment starts;
    final MemorySegment memory;
    private final long[] lengths;

    Blocks(Arena arena, long[] lengths) {
      this.lengths = lengths;
      counts = arena.allocate(ValueLayout.JAVA_INT, lengths.length);
      starts = arena.allocate(ValueLayout.JAVA_INT, lengths.length);
      memory = arena.allocate(Math.max(1, fill(counts, starts, lengths)));
    }

    /** Sets counts and starts, which MPI has as ints; returns where the last block ends. */
    static long fill(MemorySegment counts, MemorySegment starts, long[] lengths) {
      long at = 0;
      for (int i = 0; i < lengths.length; i++) {
        counts.setAtIndex(ValueLayout.JAVA_INT, i, Math.toIntExact(lengths[i]));
        starts.setAtIndex(ValueLayout.JAVA_INT, i, Math.toIntExact(at));
        at += lengths[i];
      }
      return at;
    }

    List<byte[]> arrays() {
      List<byte[]> arrays = new ArrayList<>();
      long at = 0;
      for (long length : lengths) {
        arrays.add(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
        at += length;
      }
      return arrays;
    }
  }

  @Override
  public long[] allReduce(long[] values, Reduction reduction) {
    makeRoom(values.length);
    MemorySegment.copy(values, 0, sent, ValueLayout.JAVA_LONG, 0, values.length);
    reduce(values.length, mpi.longs(), reduction);
    return heardLongs(values.length);
  }

  @Override
  public double[] allReduce(double[] values, Reduction reduction) {
    makeRoom(values.length);
    MemorySegment.copy(values, 0, sent, ValueLayout.JAVA_DOUBLE, 0, values.length);
    reduce(values.length, mpi.doubles(), reduction);
    double[] result = new double[values.length];
    MemorySegment.copy(heard, ValueLayout.JAVA_DOUBLE, 0, result, 0, result.length);
    return result;
  }

  private void reduce(int count, MemorySegment type, Reduction reduction) {
    if (count == 0) return;
    MemorySegment operation = mpi.operation(reduction);
    mpi.call("MPI_Allreduce", sent, heard, number(count), type, operation, communicator);
  }

  /** Makes room for this many numbers of eight bytes in both directions. */
  private void makeRoom(int numbers) {
    long bytes = (long) numbers * Long.BYTES;
    if (sent.byteSize() >= Math.max(1, bytes)) return;
    long taken = Math.max(NUMBERS_MIN * Long.BYTES, bytes);
    sent = Arena.ofAuto().allocate(taken, Long.BYTES);
    heard = Arena.ofAuto().allocate(taken, Long.BYTES);
  }

  private long[] heardLongs(int count) {
    long[] result = new long[count];
    MemorySegment.copy(heard, ValueLayout.JAVA_LONG, 0, result, 0, count);
    return result;
  }

  @Override
  public long[] allToAll(long[] values) {
    if (values.length != size) {
      throw new IllegalArgumentException(values.length + " numbers for " + size + " ranks");
    }
    makeRoom(size);
    MemorySegment.copy(values, 0, sent, ValueLayout.JAVA_LONG, 0, size);
    MemorySegment longs = mpi.longs();
    mpi.call("MPI_Alltoall", sent, number(1), longs, heard, number(1), longs, communicator);
    return heardLongs(size);
  }

  @Override
  public void allToAll(
      MemorySegment send, long[] sendBytes, MemorySegment receive, long[] receiveBytes) {
    allToAll(send, sendBytes, receive, receiveBytes, Long.MAX_VALUE);
  }

  @Override
  public void allToAll(
      MemorySegment send,
      long[] sendBytes,
      MemorySegment receive,
      long[] receiveBytes,
      long rankBytesMax) {
    SharedMemory.requireBlocks(send, sendBytes, size);
    SharedMemory.requireBlocks(receive, receiveBytes, size);
    SharedMemory.requireAtMost(rankBytesMax, sendBytes, receiveBytes);
    if (rankBytesMax > Integer.MAX_VALUE) {
      long longest = allReduce(Math.max(sum(sendBytes), sum(receiveBytes)), Reduction.MAX);
      if (longest > Integer.MAX_VALUE) {
        exchangeInPairs(send, sendBytes, receive, receiveBytes);
        return;
      }
    }
    makeRoom(size);
    long half = (long) size * Integer.BYTES;
    MemorySegment sendStarts = sent.asSlice(half);
    MemorySegment receiveStarts = heard.asSlice(half);
    Blocks.fill(sent, sendStarts, sendBytes);
    Blocks.fill(heard, receiveStarts, receiveBytes);
    mpi.call(
        "MPI_Alltoallv",
        send,
        sent,
        sendStarts,
        mpi.bytes(),
        receive,
        heard,
        receiveStarts,
        mpi.bytes(),
        communicator);
  }

  /** For more than MPI's ints count: step by step with the rank so far ahead and so far behind. */
  private void exchangeInPairs(
      MemorySegment send, long[] sendBytes, MemorySegment receive, long[] receiveBytes) {
    for (int step = 0; step < size; step++) {
      int to = (rank + step) % size;
      int from = (rank + size - step) % size;
      MemorySegment out = send.asSlice(start(sendBytes, to), sendBytes[to]);
      MemorySegment in = receive.asSlice(start(receiveBytes, from), receiveBytes[from]);
      if (step == 0) in.copyFrom(out);
      else exchange(to, out, from, in, OWN_TAG);
    }
  }

  private static long start(long[] bytes, int block) {
    long start = 0;
    for (int i = 0; i < block; i++) start += bytes[i];
    return start;
  }

  private static long sum(long[] values) {
    return start(values, values.length);
  }

  @Override
  public void send(int to, int tag, MemorySegment message) {
    requireRank(to);
    SharedMemory.require(message);
    for (long at = 0; at <= message.byteSize(); at += PIECE_BYTES) {
      MemorySegment piece = piece(message, at);
      int bytes = (int) piece.byteSize();
      mpi.call(
          "MPI_Send", piece, number(bytes), mpi.bytes(), number(to), number(tag), communicator);
    }
  }

  /** The last piece is shorter than the others, and may be nothing. */
  private static MemorySegment piece(MemorySegment message, long at) {
    return message.asSlice(at, Math.min(PIECE_BYTES, message.byteSize() - at));
  }

  @Override
  public long receive(int from, int tag, MemorySegment memory) {
    requireRank(from);
    SharedMemory.require(memory);
    long done = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(MpiLibrary.STATUS_BYTES, Long.BYTES);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      long bytes;
      do {
        // Asked first, so that what does not fit is an error of ours and not the end.
        mpi.call("MPI_Probe", number(from), number(tag), communicator, status);
        mpi.call("MPI_Get_count", status, mpi.bytes(), count);
        bytes = count.get(ValueLayout.JAVA_INT, 0);
        SharedMemory.requireFits(done + bytes, memory);
        mpi.call(
            "MPI_Recv",
            memory.asSlice(done, bytes),
            number(bytes),
            mpi.bytes(),
            number(from),
            number(tag),
            communicator,
            status);
        done += bytes;
      } while (bytes == PIECE_BYTES);
    }
    return done;
  }

  @Override
  public long exchange(int to, MemorySegment message, int from, MemorySegment memory, int tag) {
    requireRank(to);
    requireRank(from);
    SharedMemory.require(message);
    SharedMemory.require(memory);
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> sent = new ArrayList<>();
      for (long at = 0; at <= message.byteSize(); at += PIECE_BYTES) {
        MemorySegment piece = piece(message, at);
        MemorySegment request = mpi.handleRoom(arena);
        int bytes = (int) piece.byteSize();
        mpi.call(
            "MPI_Isend",
            piece,
            number(bytes),
            mpi.bytes(),
            number(to),
            number(tag),
            communicator,
            request);
        sent.add(request);
      }
      long received = receive(from, tag, memory);
      MemorySegment status = arena.allocate(MpiLibrary.STATUS_BYTES, Long.BYTES);
      for (MemorySegment request : sent) mpi.call("MPI_Wait", request, status);
      return received;
    }
  }

  @Override
  public Operation postSend(int to, int tag, MemorySegment message) {
    requireRank(to);
    return MpiMessage.send(mpi, communicator, to, tag, message);
  }

  @Override
  public Operation postReceive(int from, int tag, MemorySegment memory) {
    requireRank(from);
    return MpiMessage.receive(mpi, communicator, from, tag, memory);
  }

  @Override
  public Operation postTask(Runnable task) {
    AsideTask aside = new AsideTask(this, task);
    aside.start();
    return aside;
  }

  @Override
  public void awaitAny(List<? extends Operation> operations) {
    // The library makes progress only while it is asked.
    for (int turn = 0; ; turn++) {
      for (Operation operation : operations) {
        if (operation.isDone()) return;
      }
      if (turn < SPINS) Thread.onSpinWait();
      else LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void requireRank(int other) {
    if (other < 0 || other >= size) {
      throw new IllegalArgumentException("rank " + other + " of " + size);
    }
  }

  @Override
  public Group split(int colour) {
    try (Arena arena = Arena.ofConfined()) {
      // MPI has no negative colours; the lowest rank with a colour represents it.
      long[] colours = gathered(colour);
      int first = 0;
      while (colours[first] != colour) first++;
      MemorySegment room = mpi.handleRoom(arena);
      mpi.call("MPI_Comm_split", communicator, number(first), number(rank), room);
      MpiGroup part = new MpiGroup(mpi, mpi.handle(room), false);
      part.nodes = Nodes.numbered(part.gathered(nodes[rank]));
      return part;
    }
  }

  @Override
  public void close() {
    if (isWorld) return;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = mpi.handleRoom(arena);
      mpi.setHandle(room, communicator);
      mpi.call("MPI_Comm_free", room);
    }
  }
}
