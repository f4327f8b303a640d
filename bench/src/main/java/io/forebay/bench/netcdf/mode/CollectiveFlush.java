// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.bench.netcdf.mode.ExtentTree.Extent;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Access;
import io.forebay.netcdf.driver.direct.DirectDriver;
import io.forebay.netcdf.driver.direct.DirectSettings;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * As the paper ran LogFS again: extents are written by all ranks together in two phases. To the
 * driver that does it the file is one row of bytes. One rank's thread.
 */
final class CollectiveFlush implements LogfsDriver.Flush {
  private static final long ROUND_BYTES_MAX = 64L << 20;

  private final Group group;
  private final DirectDriver bytes;
  private final Scratch buffer = new Scratch();

  /** For a file that its owner closes. */
  CollectiveFlush(Group group, SharedFile file, DirectSettings settings) {
    this.group = group;
    // Only its puts are used; it must not set the file's length.
    bytes = new DirectDriver(group, new BorrowedFile(file), asBytes(), settings, Access.READ);
  }

  private static Header asBytes() {
    Variable all = new Variable("bytes", ElementType.BYTE, List.of(0), List.of(), 0);
    Dimension length = new Dimension("length", Long.MAX_VALUE);
    return new Header(Format.CDF5, 0, List.of(length), List.of(), List.of(all));
  }

  @Override
  public void bring(ExtentTree extents, ExtentLog log) throws IOException {
    Iterator<Extent> left = extents.inOrder().iterator();
    while (group.allReduce(left.hasNext() ? 1 : 0, Reduction.MAX) > 0) {
      List<Extent> round = new ArrayList<>();
      long total = 0;
      while (left.hasNext() && total < ROUND_BYTES_MAX) {
        Extent next = left.next();
        round.add(next);
        total += next.bytes();
      }
      bytes.put(transfers(round, total, log), true);
    }
  }

  private List<Transfer> transfers(List<Extent> round, long total, ExtentLog log)
      throws IOException {
    if (round.isEmpty()) return List.of();
    MemorySegment memory = buffer.take(total);
    List<Subarray> parts = new ArrayList<>();
    log.read(memory, round);
    for (Extent extent : round) {
      parts.add(Subarray.of(new long[] {extent.offset()}, new long[] {extent.bytes()}));
    }
    return List.of(Transfer.now(0, parts, Values.of(memory, ElementType.BYTE)));
  }

  @Override
  public void close() throws IOException {
    buffer.close();
    bytes.close();
  }
}
