// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A file whose variables begin at known places, each in one piece. */
public class PlacedFile implements BundleFile {
  private final SharedFile file;
  private final List<PlaneVariable> variables;
  private final long[] places;

  /**
   * For an open file.
   *
   * @param places where each variable begins
   */
  public PlacedFile(SharedFile file, List<PlaneVariable> variables, long[] places) {
    this.file = file;
    this.variables = variables;
    this.places = places.clone();
  }

  @Override
  public final void write(int variable, long element, MemorySegment bytes) throws IOException {
    long offset = element * variables.get(variable).type().sizeBytes();
    file.write(bytes, places[variable] + offset);
  }

  @Override
  public final void close() throws IOException {
    file.close();
  }
}
