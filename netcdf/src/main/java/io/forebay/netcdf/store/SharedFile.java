package io.forebay.netcdf.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** One rank's handle of a file that all ranks read and write, each at its own offsets. */
public interface SharedFile extends AutoCloseable {
  /** No call is longer than this; longer memory is written and read in several. */
  int CALL_BYTES_MAX = 64 << 20;

  /** What it is called, for messages. */
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

  /** Returns when what this handle wrote is on stable storage, and seen by other handles. */
  void force() throws IOException;

  @Override
  void close() throws IOException;
}
