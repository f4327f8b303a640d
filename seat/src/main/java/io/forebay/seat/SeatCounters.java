package io.forebay.seat;

import io.forebay.wire.message.Statuses;

/** Counts what a seat does. */
final class SeatCounters {
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

  void put(int bytes) {
    puts++;
    putBytes += bytes;
  }

  void copied(int bytes) {
    copies++;
    copyBytes += bytes;
  }

  void got(int bytes) {
    gets++;
    getBytes += bytes;
  }

  void nameOp() {
    nameOps++;
  }

  void refused() {
    refused++;
  }

  void redirected() {
    redirected++;
  }

  void swept(int records) {
    swept += records;
  }

  long putBytes() {
    return putBytes;
  }

  /** How often a record has come here. */
  long arrivals() {
    return puts + copies;
  }

  void corrupt() {
    corrupt++;
  }

  void repaired() {
    repaired++;
  }

  void scrubbed(int bytes) {
    scrubbedBytes += bytes;
  }

  /** One write to a backing store. */
  void drained(int bytes) {
    drainWrites++;
    drainedBytes += bytes;
  }

  /**
   * What was counted, and what others have.
   *
   * @param lost how many records are lost now
   * @param shuffleBytes the most memory that draining took at a time
   */
  Statuses.Counters now(long lost, long shuffleBytes) {
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
