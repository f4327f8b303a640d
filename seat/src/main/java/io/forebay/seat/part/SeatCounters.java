// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Statuses;

/** The counters of a seat. */
public final class SeatCounters {
  private long puts;
  private long putBytes;
  private long copies;
  private long copyBytes;
  private long gets;
  private long getBytes;
  private long nameOps;
  private long refused;
  private long redirected;
  private long swept;
  private long corrupt;
  private long repaired;
  private long scrubbedBytes;
  private long drainWrites;
  private long drainedBytes;
  private final LimitCounts limits = new LimitCounts();
  private final SeatLatencies latencies = new SeatLatencies();
  private final InstanceBytes reads = new InstanceBytes();
  private final InstanceBytes ssdWrites = new InstanceBytes();

  public void put(int bytes) {
    puts++;
    putBytes += bytes;
  }

  public void copied(int bytes) {
    copies++;
    copyBytes += bytes;
  }

  public void got(int instance, int bytes) {
    reads.add(instance, bytes);
    gets++;
    getBytes += bytes;
  }

  /** What clients read, until a home counts it. */
  public InstanceBytes reads() {
    return reads;
  }

  /** What was written to the SSD, until a home counts it. */
  public InstanceBytes ssdWrites() {
    return ssdWrites;
  }

  /** How often clients have reached the limits of names. */
  public LimitCounts limits() {
    return limits;
  }

  /** How long operations take. */
  public SeatLatencies latencies() {
    return latencies;
  }

  public void nameOp() {
    nameOps++;
  }

  public void refused() {
    refused++;
  }

  public void redirected() {
    redirected++;
  }

  public void swept(int records) {
    swept += records;
  }

  public long putBytes() {
    return putBytes;
  }

  /** The number of records that have arrived here. */
  public long arrivals() {
    return puts + copies;
  }

  public void corrupt() {
    corrupt++;
  }

  public void repaired() {
    repaired++;
  }

  public void scrubbed(int bytes) {
    scrubbedBytes += bytes;
  }

  /** One write to a backing store. */
  public void drained(int bytes) {
    drainWrites++;
    drainedBytes += bytes;
  }

  /**
   * The counters, with the values of other parts.
   *
   * @param lost the number of records that are lost now
   * @param shuffleBytes the peak memory of draining
   * @param ssdBytes bytes written to the SSD
   */
  public Statuses.Counters now(long lost, long shuffleBytes, long ssdBytes) {
    return new Statuses.Counters(
        puts,
        putBytes,
        copies,
        copyBytes,
        gets,
        getBytes,
        nameOps,
        refused,
        redirected,
        swept,
        corrupt,
        repaired,
        lost,
        scrubbedBytes,
        drainWrites,
        drainedBytes,
        shuffleBytes,
        ssdBytes);
  }
}
