// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.base.MonotonicClock;
import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Reads and writes the file itself, at once. The first rank alone writes the header and moves data
 * when definitions change.
 */
public final class DirectDriver implements Driver {
  private static final int FILL_BUFFER_BYTES = 1 << 20;

  private final Group group;
  private final SharedFile file;
  private final Meter meter;
  private final boolean writable;
  private final DirectSettings settings;
  private final TwoPhase twoPhase;
  private final Independent independent;
  private final Scratch staging = new Scratch();
  private Layout layout;

  /**
   * For a file that is open.
   *
   * @param header its header; empty definitions if it is new
   */
  public DirectDriver(
      Group group, SharedFile opened, Header header, DirectSettings settings, Access access) {
    this(group, opened, header, settings, access, new Meter(MonotonicClock.system()));
  }

  /** The same, with counters. */
  public DirectDriver(
      Group group,
      SharedFile opened,
      Header header,
      DirectSettings settings,
      Access access,
      Meter meter) {
    this.group = group;
    this.meter = meter;
    this.settings = settings;
    file = new MeteredFile(opened, meter);
    writable = access == Access.WRITE;
    layout = Layout.of(header);
    twoPhase = new TwoPhase(group, file, settings);
    independent = new Independent(file);
  }

  @Override
  public void define(Header header) throws IOException {
    Layout before = layout;
    layout = Layout.of(header);
    if (group.rank() != 0) return;
    Relocation.move(file, before, layout);
    writeBytes(HeaderWriter.write(header), 0);
    file.publish();
  }

  /** Another driver of the same file has made new definitions. */
  public void adopt(Header header) {
    layout = Layout.of(header);
  }

  private void writeBytes(byte[] bytes, long offset) throws IOException {
    file.write(MemorySegment.ofArray(bytes), offset);
  }

  @Override
  public long[] plan(List<Transfer> puts) {
    Flattening flattening = new Flattening(layout, puts);
    return RankRanges.numbers(flattening.order(), flattening.totalBytes());
  }

  @Override
  public boolean put(List<Transfer> puts, boolean collective) throws IOException {
    if (collective) return putAll(puts, group.allGather(plan(puts)));
    Flattening flattening = new Flattening(layout, puts);
    return put(flattening, RankRanges.ofOne(flattening.order(), flattening.totalBytes()), true);
  }

  @Override
  public boolean putAll(List<Transfer> puts, long[] plans) throws IOException {
    RankRanges ranges = RankRanges.of(plans);
    return put(new Flattening(layout, puts), ranges, ranges.areApart(settings.stripeBytes()));
  }

  private boolean put(Flattening flattening, RankRanges ranges, boolean alone) throws IOException {
    MemorySegment memory = staging.take(flattening.totalBytes());
    boolean allFit = flattening.encode(memory);
    FileOrder order = flattening.order();
    // Runs are bounded too: ranks that write by themselves need not cut them in the same places.
    RankRanges cut = alone ? RankRanges.ofOne(order, flattening.totalBytes()) : ranges;
    Slices.Lowest lowest =
        alone ? numbers -> numbers : numbers -> group.allReduce(numbers, Reduction.MIN);
    Slices.forEach(
        order,
        cut,
        lowest,
        meter,
        (pieces, start, end) -> {
          if (alone) independent.write(pieces, memory);
          else twoPhase.write(pieces, memory, start, end);
        });
    // The next reader, perhaps in another process, must see it.
    file.publish();
    return allFit;
  }

  @Override
  public boolean get(List<Transfer> gets, boolean collective) throws IOException {
    Flattening flattening = new Flattening(layout, gets);
    Pieces pieces = Flattening.inFileOrder(flattening.order().pieces());
    MemorySegment memory = staging.take(pieces.dataBytes());
    if (collective) twoPhase.read(pieces, memory);
    else independent.read(pieces, memory);
    return flattening.decode(pieces, memory);
  }

  @Override
  public void fill(int variable, long record, long count) throws IOException {
    Variable filled = layout.header().variables().get(variable);
    long elements = layout.header().elements(filled);
    long parts = count >= group.size() ? 1 : group.size();
    // Every rank fills its share: records, or of each record some elements.
    long firstRecord = parts == 1 ? share(count, group.size(), group.rank()) : 0;
    long endRecord = parts == 1 ? share(count, group.size(), group.rank() + 1) : count;
    long first = parts == 1 ? 0 : share(elements, parts, group.rank());
    long end = parts == 1 ? elements : share(elements, parts, group.rank() + 1);
    int size = filled.type().sizeBytes();
    MemorySegment pattern = pattern(filled, Math.min(end - first, FILL_BUFFER_BYTES / size));
    for (long each = firstRecord; each < endRecord; each++) {
      long start = layout.offset(filled, record + each);
      for (long at = first; at < end; at += FILL_BUFFER_BYTES / size) {
        long bytes = Math.min(pattern.byteSize(), (end - at) * size);
        file.write(pattern.asSlice(0, bytes), start + at * size);
      }
    }
    file.publish();
  }

  /** The start of a share when things are divided evenly. */
  private static long share(long things, long shares, long number) {
    return Math.min(things, Math.ceilDiv(things, shares) * number);
  }

  private static MemorySegment pattern(Variable variable, long elements) {
    Values fill = FillValues.of(variable);
    MemorySegment memory =
        Arena.ofAuto().allocate(elements * variable.type().sizeBytes(), Long.BYTES);
    Values target = new Values(memory, variable.type(), ByteOrder.BIG_ENDIAN);
    for (long i = 0; i < elements; i++) Conversion.copy(fill, target.slice(i, 1));
    return memory;
  }

  @Override
  public void recordCount(long count) throws IOException {
    layout = Layout.of(layout.header().withRecordCount(count));
    if (group.rank() != 0) return;
    writeBytes(
        HeaderWriter.recordCount(layout.header().format(), count),
        HeaderWriter.RECORD_COUNT_OFFSET);
    file.publish();
  }

  @Override
  public void flush() {
    // Everything is in the file already.
  }

  @Override
  public void sync() throws IOException {
    if (writable && (!file.forcesForNode() || isFirstOnNode())) file.force();
  }

  private boolean isFirstOnNode() {
    int rank = 0;
    while (group.node(rank) != group.node(group.rank())) rank++;
    return rank == group.rank();
  }

  @Override
  public void close() throws IOException {
    twoPhase.close();
    independent.close();
    staging.close();
    try (file) {
      // So that files have their full length, even if their end was not written.
      if (writable && group.rank() == 0) {
        file.extend(layout.fileBytes(layout.header().recordCount()));
      }
    }
  }
}
