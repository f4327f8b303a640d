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

  /** What was counted, and how many records are lost now. */
  Statuses.Counters now(long lost) {
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
        scrubbedBytes);
  }
}
