// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import static io.forebay.parallel.MpiLibrary.number;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A message of MPI under way, asked for by the thread that posted it. */
final class MpiMessage implements Operation {
  private final MpiLibrary mpi;
  private final MemorySegment memory;
  private final boolean isReceive;
  private final MemorySegment request;
  private boolean done;

  private MpiMessage(MpiLibrary mpi, MemorySegment memory, boolean isReceive) {
    this.mpi = mpi;
    this.memory = memory;
    this.isReceive = isReceive;
    // Collected with this object: handles of requests are few bytes, and there are many.
    request = mpi.handleRoom(Arena.ofAuto());
  }

  static MpiMessage send(
      MpiLibrary mpi, MemorySegment communicator, int to, int tag, MemorySegment message) {
    MpiMessage send = new MpiMessage(mpi, message, false);
    send.post("MPI_Isend", communicator, to, tag);
    return send;
  }

  static MpiMessage receive(
      MpiLibrary mpi, MemorySegment communicator, int from, int tag, MemorySegment memory) {
    MpiMessage receive = new MpiMessage(mpi, memory, true);
    receive.post("MPI_Irecv", communicator, from, tag);
    return receive;
  }

  private void post(String function, MemorySegment communicator, int peer, int tag) {
    SharedMemory.require(memory);
    SharedMemory.requirePostable(memory);
    mpi.call(
        function,
        memory,
        number(memory.byteSize()),
        mpi.bytes(),
        number(peer),
        number(tag),
        communicator,
        request);
  }

  @Override
  public boolean isDone() {
    if (done) return true;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment flag = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment status = arena.allocate(MpiLibrary.STATUS_BYTES, Long.BYTES);
      mpi.call("MPI_Test", request, flag, status);
      done = flag.get(ValueLayout.JAVA_INT, 0) != 0;
      if (done && isReceive) requireLength(arena, status);
    }
    return done;
  }

  private void requireLength(Arena arena, MemorySegment status) {
    MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
    mpi.call("MPI_Get_count", status, mpi.bytes(), count);
    long bytes = count.get(ValueLayout.JAVA_INT, 0);
    if (bytes != memory.byteSize()) {
      throw new IllegalArgumentException(
          "a message of " + bytes + " bytes for memory of " + memory.byteSize());
    }
  }
}
