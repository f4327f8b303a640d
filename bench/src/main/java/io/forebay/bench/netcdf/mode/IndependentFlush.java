// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.bench.netcdf.mode.ExtentTree.Extent;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** As in LogFS: each rank writes its own extents, adjacent ones in one call. One rank's thread. */
final class IndependentFlush implements LogfsDriver.Flush {
  private static final long CALL_BYTES_MAX = 16 << 20;

  private final SharedFile file;
  private final Scratch buffer = new Scratch();

  IndependentFlush(SharedFile file) {
    this.file = file;
  }

  @Override
  public void bring(ExtentTree extents, ExtentLog log) throws IOException {
    List<Extent> together = new ArrayList<>();
    long start = 0;
    long end = 0;
    for (Extent extent : extents.inOrder()) {
      if (extent.offset() != end || extent.end() - start > CALL_BYTES_MAX) {
        write(together, start, log);
        together.clear();
        start = extent.offset();
      }
      together.add(extent);
      end = extent.end();
    }
    write(together, start, log);
  }

  private void write(List<Extent> extents, long start, ExtentLog log) throws IOException {
    if (extents.isEmpty()) return;
    MemorySegment memory = buffer.take(extents.getLast().end() - start);
    log.read(memory, extents);
    file.write(memory, start);
  }

  @Override
  public void close() {
    buffer.close();
  }
}
