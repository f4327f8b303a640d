// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;

/**
 * Counters and times of one rank for one file. Times overlap: flushing a log includes reordering
 * and writes to the file, which are also counted separately.
 *
 * @param putNanos inside calls that write variables
 * @param logCreateNanos creating and starting the log
 * @param logWriteNanos appending to the log, of which {@code logWrites} is the number of writes and
 *     {@code logBytes} their data
 * @param flushNanos flushing the log to the file: {@code flushes} times, in {@code flushRounds}
 * @param reorderNanos sorting pieces into the order of the file, in log flushes and other writes
 * @param fileWriteNanos writing to the file itself, in {@code fileWrites} calls
 * @param fileReadNanos reading from the file itself, in {@code fileReads} calls
 * @param backgroundNanos flushing the log in the background; part of flushNanos
 */
public record Statistics(
    long putNanos,
    long logCreateNanos,
    long logWriteNanos,
    long logWrites,
    long logBytes,
    long flushNanos,
    long flushes,
    long flushRounds,
    long reorderNanos,
    long fileWriteNanos,
    long fileWrites,
    long fileWriteBytes,
    long fileReadNanos,
    long fileReads,
    long fileReadBytes,
    long backgroundNanos) {
  static Statistics of(Meter meter) {
    return new Statistics(
        meter.total(Quantity.PUT_NANOS),
        meter.total(Quantity.LOG_CREATE_NANOS),
        meter.total(Quantity.LOG_WRITE_NANOS),
        meter.total(Quantity.LOG_WRITES),
        meter.total(Quantity.LOG_BYTES),
        meter.total(Quantity.FLUSH_NANOS),
        meter.total(Quantity.FLUSHES),
        meter.total(Quantity.FLUSH_ROUNDS),
        meter.total(Quantity.REORDER_NANOS),
        meter.total(Quantity.FILE_WRITE_NANOS),
        meter.total(Quantity.FILE_WRITES),
        meter.total(Quantity.FILE_WRITE_BYTES),
        meter.total(Quantity.FILE_READ_NANOS),
        meter.total(Quantity.FILE_READS),
        meter.total(Quantity.FILE_READ_BYTES),
        meter.total(Quantity.BACKGROUND_NANOS));
  }

  /** The sums of both. */
  public Statistics plus(Statistics other) {
    return new Statistics(
        putNanos + other.putNanos,
        logCreateNanos + other.logCreateNanos,
        logWriteNanos + other.logWriteNanos,
        logWrites + other.logWrites,
        logBytes + other.logBytes,
        flushNanos + other.flushNanos,
        flushes + other.flushes,
        flushRounds + other.flushRounds,
        reorderNanos + other.reorderNanos,
        fileWriteNanos + other.fileWriteNanos,
        fileWrites + other.fileWrites,
        fileWriteBytes + other.fileWriteBytes,
        fileReadNanos + other.fileReadNanos,
        fileReads + other.fileReads,
        fileReadBytes + other.fileReadBytes,
        backgroundNanos + other.backgroundNanos);
  }
}
