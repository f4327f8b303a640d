// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

/**
 * The cluster that is simulated: one description for all programs and all numbers of ranks.
 *
 * @param ranksPerNode consecutive ranks share a node
 */
public record SimulatedMachine(
    int ranksPerNode, Messages messages, Links links, Copies copies, Store store) {
  /**
   * What messages cost, whatever way they take.
   *
   * @param sendNanos a rank's work for each message that it sends
   * @param receiveNanos a rank's work for each message that it receives
   * @param matchNanos comparing one message that waits at a rank: an arriving message is compared
   *     with half of the waiting ones, and a rank that waits for one of many compares all
   * @param eagerBytes messages up to this long are sent at once and copied at the receiver; longer
   *     ones wait until the receiver has asked for them
   * @param eagerMessages how many of the short ones may be under way from one rank to another
   */
  public record Messages(
      long sendNanos, long receiveNanos, long matchNanos, long eagerBytes, int eagerMessages) {}

  /**
   * What connects nodes, and ranks of a node.
   *
   * @param nodeBytesPerSecond of a node, in each direction
   * @param latencyNanos between nodes
   * @param localLatencyNanos within a node
   * @param messageNanos an adapter's work for each message
   * @param connections between two ranks that an adapter keeps at hand; when messages of more
   *     connections wait for one node, some have to be loaded
   * @param connectionNanos loading one
   */
  public record Links(
      double nodeBytesPerSecond,
      long latencyNanos,
      long localLatencyNanos,
      long messageNanos,
      int connections,
      long connectionNanos) {}

  /**
   * Copies in memory.
   *
   * @param bytesPerSecond of one rank while its neighbours copy too
   * @param rowNanos for each row of a block, which is a copy of its own
   */
  public record Copies(double bytesPerSecond, long rowNanos) {}

  /**
   * The parallel file system.
   *
   * @param bytesPerSecond of all nodes together
   * @param nodeBytesPerSecond of one node
   * @param fileBytesPerSecond of one file
   * @param cacheBytes a node holds this much before its writes wait for the store
   * @param calls what its calls cost
   */
  public record Store(
      double bytesPerSecond,
      double nodeBytesPerSecond,
      double fileBytesPerSecond,
      long cacheBytes,
      Calls calls) {}

  /**
   * Calls of the file system.
   *
   * @param writeNanos a write
   * @param createNanos creating or renaming a file
   * @param openNanos opening a file that others have open too; the metadata server does one after
   *     the other
   * @param tokenNanos passing the right to write a block of a file from one node to another; a
   *     file's token manager does one after the other
   * @param rowNanos each further piece of a write that is not contiguous
   */
  public record Calls(
      long writeNanos, long createNanos, long openNanos, long tokenNanos, long rowNanos) {}

  private static final long MICRO = 1_000;
  private static final double GB = 1e9;

  /**
   * NASA's Discover at the time of the paper. The paper gives 8 ranks per node, InfiniBand, nodes
   * with Westmere or Sandy Bridge processors and 24 or 32 GB, and GPFS with "high aggregated
   * throughput". The rest are assumptions. The eager size, the rate of links and the time of a
   * token were fitted to the paper's two baselines, within what is plausible; none to BPS, LPS or
   * IPS:
   *
   * <ul>
   *   <li>1 µs of work per message at each end, 12 KiB eager: usual for MPI on InfiniBand of that
   *       time (MVAPICH2 switched at 12 to 17 KB).
   *   <li>8 short messages under way per pair: eager buffers are credited per connection.
   *   <li>15 ns for each message that is compared: a list entry that is not in the cache.
   *   <li>1.6 GB/s per node: DDR InfiniBand, or QDR through switches with half as many uplinks.
   *   <li>2 µs between nodes, 0.5 µs within: as MPI's latency tests give.
   *   <li>150 ns per message in the adapter: 6 to 7 million messages per second.
   *   <li>256 connections at hand and 1 µs to load another: a context is fetched over PCIe.
   *   <li>3 GB/s per copying rank, 20 ns per row: 8 ranks share 25 to 30 GB/s of memory.
   *   <li>GPFS: 20 GB/s in total, 1.5 GB/s per node and 4 GB/s per file: a large installation,
   *       nodes with one port, and files striped over some servers.
   *   <li>256 MiB of page pool per node: writes return when the bytes are in it.
   *   <li>20 µs per write, 2 ms per create, 0.3 ms per further open of the same file, 0.1 ms per
   *       token: round trips to servers, with work at the server.
   *   <li>10 µs per row of a noncontiguous write: one call each.
   * </ul>
   */
  public static SimulatedMachine discover() {
    return new SimulatedMachine(
        8,
        new Messages(MICRO, MICRO, 15, 12 << 10, 8),
        new Links(1.6 * GB, 2 * MICRO, MICRO / 2, 150, 256, MICRO),
        new Copies(3 * GB, 20),
        new Store(
            20 * GB,
            1.5 * GB,
            4 * GB,
            256 << 20,
            new Calls(20 * MICRO, 2000 * MICRO, 300 * MICRO, 100 * MICRO, 10 * MICRO)));
  }

  static long nanos(long bytes, double bytesPerSecond) {
    return (long) Math.ceil((double) bytes / bytesPerSecond * 1e9);
  }
}
