// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** One aggregator's handle of a bundle's file. One thread at a time. */
public interface BundleFile extends AutoCloseable {
  /**
   * Writes some elements of a variable of planes.
   *
   * @param variable its place among the bundle's variables of planes
   * @param element the first of them, counted from the variable's first element
   * @param bytes the elements in the byte order of {@link BundleFiles#order}
   */
  void write(int variable, long element, MemorySegment bytes) throws IOException;

  /** Ends; what this handle wrote is then in the file. */
  @Override
  void close() throws IOException;
}
