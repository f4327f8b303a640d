// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One rank's view of a group of ranks that work together. Operations are collective (every rank of
 * the group calls them, in the same order) but for {@link #send}, {@link #receive}, {@link
 * #exchange} and the calls whose names begin with post and await.
 *
 * <p>Small values are sent as byte arrays, whose lengths may differ from rank to rank. Large ones
 * stay in off-heap memory segments that every thread may access, since another rank's thread or a
 * native library reads them.
 *
 * <p>No operation hangs because another rank failed: the ranks of one process then get a {@link
 * RankFailedException} with its reason; the launcher ends processes.
 */
public interface Group extends AutoCloseable {
  /** The longest message that may be posted. */
  long POSTED_BYTES_MAX = 1 << 30;

  /** This rank's number, from 0. */
  int rank();

  /** How many ranks there are. */
  int size();

  /** The node that a rank of this group runs on; nodes are numbered from 0 by their first rank. */
  int node(int rank);

  /** Returns when every rank has called it. */
  void barrier();

  /** The root's bytes, on every rank; the arguments of other ranks are ignored. */
  byte[] broadcast(byte[] bytes, int root);

  /** Fills the memory of all ranks with the root's; all have the same length. */
  void broadcast(MemorySegment memory, int root);

  /** The bytes of all ranks, in their order, at the root; an empty list elsewhere. */
  List<byte[]> gather(byte[] bytes, int root);

  /** The bytes of all ranks, in their order, on every rank. */
  List<byte[]> allGather(byte[] bytes);

  /** The numbers of all ranks, in the order of ranks; all arrays have the same length. */
  long[] allGather(long[] values);

  /** Combines the ranks' numbers place by place; arrays are of one length. */
  long[] allReduce(long[] values, Reduction reduction);

  /** The same with fractions. Sums are taken in the order of ranks where the library allows it. */
  double[] allReduce(double[] values, Reduction reduction);

  /** Combines one number of each rank. */
  default long allReduce(long value, Reduction reduction) {
    return allReduce(new long[] {value}, reduction)[0];
  }

  /** What rank r has for this one, at place r: the other ranks' arrays turned on their side. */
  long[] allToAll(long[] values);

  /**
   * Every rank sends every rank a block of bytes. The blocks lie one behind the other, in the order
   * of ranks, in what is sent and in what is received.
   *
   * @param sendBytes how many bytes go to each rank
   * @param receiveBytes how many come from each; see {@link #allToAll(long[])}
   */
  void allToAll(MemorySegment send, long[] sendBytes, MemorySegment receive, long[] receiveBytes);

  /**
   * The same for ranks that know how much it can be, which saves them to agree on that.
   *
   * @param rankBytesMax no rank sends or receives more in all; the same on every rank
   */
  void allToAll(
      MemorySegment send,
      long[] sendBytes,
      MemorySegment receive,
      long[] receiveBytes,
      long rankBytesMax);

  /**
   * Sends to one rank. May return only when that rank receives: two ranks that first send to each
   * other and then receive use {@link #exchange}.
   */
  void send(int to, int tag, MemorySegment message);

  /**
   * Receives a message of one rank with this tag, in the order they were sent.
   *
   * @return its length; the memory may be longer
   */
  long receive(int from, int tag, MemorySegment memory);

  /** Sends to one rank and receives from one, which may be the same, at the same time. */
  long exchange(int to, MemorySegment message, int from, MemorySegment memory, int tag);

  /**
   * Begins to send to one rank, and returns at once. The message stays unchanged until the
   * operation is done.
   *
   * @param message at most {@link #POSTED_BYTES_MAX} long
   */
  Operation postSend(int to, int tag, MemorySegment message);

  /**
   * Begins to receive from one rank, and returns at once. Messages of one rank and tag go to the
   * receives in the order in which both were posted.
   *
   * @param memory as long as the message will be
   */
  Operation postReceive(int from, int tag, MemorySegment memory);

  /**
   * Runs a task, such as a write to a file, on another thread of this rank, and returns at once.
   *
   * @param task uses no group, and keeps its errors to itself
   */
  Operation postTask(Runnable task);

  /** Returns when at least one of these operations of this rank is done. */
  void awaitAny(List<? extends Operation> operations);

  /** Returns when the operation is done. */
  default void await(Operation operation) {
    awaitAny(List.of(operation));
  }

  /** The ranks that pass the same colour as this one, in the order of their ranks here. */
  Group split(int colour);

  /** The ranks on the same node as this one. */
  default Group splitByNode() {
    return split(node(rank()));
  }

  /** Whether a group that was split off may be used by another thread while this one is. */
  default boolean allowsThreads() {
    return true;
  }

  /** Gives up this view; collective for groups that {@link #split} made. */
  @Override
  void close();
}
