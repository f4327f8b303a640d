// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.seat.SeatConfig;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.memory.MemoryOptions;

/**
 * The parts of a simulated cluster.
 *
 * @param seats how many servers, each with one seat
 * @param copies how many copies instances keep
 * @param store each seat's log
 * @param snapshotBytes the growth of a group's journal before a snapshot is made
 * @param redirects whether seats that are short of room redirect clients to others
 * @param managers how many managers decide together
 */
public record WorldOptions(
    int seats,
    int copies,
    StoreConfig store,
    MemoryOptions network,
    long snapshotBytes,
    boolean redirects,
    int managers) {
  private static final int SEGMENT_BYTES = 512 * 1024;

  /** Three seats, two copies, messages that take a fraction of a millisecond. */
  public static final WorldOptions CALM =
      new WorldOptions(
          3,
          2,
          StoreConfig.hybrid(SEGMENT_BYTES, 12L * SEGMENT_BYTES, 48L * SEGMENT_BYTES),
          new MemoryOptions(20_000, 300_000, 0, 0),
          SeatConfig.SNAPSHOT_BYTES_DEFAULT,
          true,
          1);

  /** The same with messages that overtake each other and come twice. */
  public static final WorldOptions ROUGH =
      CALM.withNetwork(new MemoryOptions(20_000, 2_000_000, 0.05, 0.02));

  public WorldOptions withNetwork(MemoryOptions other) {
    return new WorldOptions(seats, copies, store, other, snapshotBytes, redirects, managers);
  }

  public WorldOptions withSeats(int otherSeats, int otherCopies) {
    return new WorldOptions(
        otherSeats, otherCopies, store, network, snapshotBytes, redirects, managers);
  }

  public WorldOptions withStore(StoreConfig other) {
    return new WorldOptions(seats, copies, other, network, snapshotBytes, redirects, managers);
  }

  public WorldOptions withSnapshotBytes(long otherBytes) {
    return new WorldOptions(seats, copies, store, network, otherBytes, redirects, managers);
  }

  public WorldOptions withoutRedirects() {
    return new WorldOptions(seats, copies, store, network, snapshotBytes, false, managers);
  }

  public WorldOptions withManagers(int count) {
    return new WorldOptions(seats, copies, store, network, snapshotBytes, redirects, count);
  }
}
