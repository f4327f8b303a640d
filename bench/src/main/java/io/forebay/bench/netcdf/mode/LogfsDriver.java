// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Runs;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.FillValues;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A log as in LogFS, below the level of variables: every request is taken apart at once into
 * offsets and lengths of the file, which go to a log and into a tree. A flush walks the tree in
 * order. Writes by several ranks to the same bytes have no order. One rank's thread.
 */
final class LogfsDriver extends PassingDriver {
  /** Brings a log's extents to the file; collective. */
  interface Flush extends AutoCloseable {
    void bring(ExtentTree extents, ExtentLog log) throws IOException;

    @Override
    void close() throws IOException;
  }

  private final Group group;
  private final ExtentLog log;
  private final ExtentTree tree = new ExtentTree();
  private final Flush flush;
  private final Meter meter;
  private final Scratch staging = new Scratch();
  private Layout layout;

  LogfsDriver(Group group, Driver below, ExtentLog log, Flush flush, Header header, Meter meter) {
    super(below);
    this.group = group;
    this.log = log;
    this.flush = flush;
    this.meter = meter;
    layout = Layout.of(header);
  }

  @Override
  public void define(Header header) throws IOException {
    super.define(header);
    layout = Layout.of(header);
  }

  @Override
  public void recordCount(long count) throws IOException {
    super.recordCount(count);
    layout = Layout.of(layout.header().withRecordCount(count));
  }

  @Override
  public boolean put(List<Transfer> puts, boolean collective) throws IOException {
    boolean allFit = true;
    for (Transfer put : puts) allFit &= append(put);
    return allFit;
  }

  private boolean append(Transfer put) throws IOException {
    long start = meter.nanos();
    Variable variable = layout.header().variables().get(put.variable());
    long bytes = put.values().count() * variable.type().sizeBytes();
    MemorySegment memory = staging.take(bytes);
    boolean fits =
        Conversion.convert(
            put.values(),
            new Values(memory, variable.type(), ByteOrder.BIG_ENDIAN),
            FillValues.of(variable),
            layout.header().format());
    long place = log.append(memory);
    long[] at = {place};
    for (Subarray part : put.parts()) {
      Runs.of(layout, variable, part)
          .forEach(
              (offset, length) -> {
                log.note(offset, length, at[0]);
                at[0] += length;
              });
    }
    log.writeNotes();
    meter.addSince(Quantity.LOG_WRITE_NANOS, start);
    meter.add(Quantity.LOG_WRITES, 1);
    meter.add(Quantity.LOG_BYTES, bytes);
    long indexed = meter.nanos();
    log.takeNotes(tree::add);
    meter.addSince(Quantity.REORDER_NANOS, indexed);
    return fits;
  }

  @Override
  public boolean get(List<Transfer> gets, boolean collective) throws IOException {
    if (collective) {
      bring();
    } else if (!tree.isEmpty()) {
      throw new IOException("LogFS style reads are collective");
    }
    return super.get(gets, collective);
  }

  @Override
  public void fill(int variable, long record, long count) throws IOException {
    bring();
    super.fill(variable, record, count);
  }

  @Override
  public void flush() throws IOException {
    bring();
    super.flush();
  }

  @Override
  public void sync() throws IOException {
    bring();
    super.sync();
  }

  private void bring() throws IOException {
    long start = meter.nanos();
    if (group.allReduce(tree.isEmpty() ? 0 : 1, Reduction.MAX) == 0) return;
    flush.bring(tree, log);
    tree.clear();
    log.clear();
    meter.addSince(Quantity.FLUSH_NANOS, start);
    meter.add(Quantity.FLUSHES, 1);
  }

  @Override
  public void close() throws IOException {
    try (staging;
        log;
        flush) {
      bring();
    } finally {
      // Other ranks' writes must be done before the file's length is set.
      group.barrier();
      super.close();
    }
  }
}
