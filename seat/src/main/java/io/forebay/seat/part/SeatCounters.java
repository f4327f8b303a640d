// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

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

  public void put(int bytes) {
    puts++;
    putBytes += bytes;
  }

  public void copied(int bytes) {
    copies++;
    copyBytes += bytes;
  }

  public void got(int bytes) {
    gets++;
    getBytes += bytes;
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
   */
  public Statuses.Counters now(long lost, long shuffleBytes) {
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
        shuffleBytes);
  }
}
