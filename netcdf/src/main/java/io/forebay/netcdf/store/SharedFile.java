// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import io.forebay.netcdf.format.ByteSource;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** One rank's handle of a file that all ranks read and write, each at its own offsets. */
public interface SharedFile extends AutoCloseable {
  /** No call is longer than this; longer memory is written and read in several. */
  int CALL_BYTES_MAX = 64 << 20;

  /** The name, for messages. */
  String name();

  long sizeBytes() throws IOException;

  /**
   * Reads until the memory is full or the file ends.
   *
   * @return how many bytes were read
   */
  long read(MemorySegment target, long offset) throws IOException;

  /** Writes all of the memory. */
  void write(MemorySegment source, long offset) throws IOException;

  /** Makes the file that long with zeros, if it is shorter. */
  void extend(long sizeBytes) throws IOException;

  /** Returns when this handle's writes are visible to other handles and survive this process. */
  default void publish() throws IOException {}

  /** Returns when this handle's writes are on stable storage and visible to other handles. */
  void force() throws IOException;

  /** Whether forcing one handle does it for all handles on the same node. */
  boolean forcesForNode();

  /** The file as the source of a header. */
  default ByteSource asSource() {
    return new ByteSource() {
      @Override
      public long size() throws IOException {
        return sizeBytes();
      }

      @Override
      public void read(ByteBuffer target, long offset) throws IOException {
        long read = SharedFile.this.read(MemorySegment.ofBuffer(target), offset);
        if (read < target.remaining()) {
          throw new NetcdfException(NetcdfError.TRUNCATED, name() + " became shorter");
        }
        target.position(target.limit());
      }
    };
  }

  @Override
  void close() throws IOException;
}
