// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The only handle of a file that a library writes, slab by slab. */
public abstract class SlabDraft implements BundleDraft {
  private final Bundle bundle;
  private final TemporaryName names;

  protected SlabDraft(Bundle bundle, TemporaryName names) {
    this.bundle = bundle;
    this.names = names;
  }

  /**
   * Writes a part of a variable.
   *
   * @param bytes the elements in the byte order of the file
   */
  protected abstract void put(
      PlaneVariable variable, long[] start, long[] count, MemorySegment bytes) throws IOException;

  @Override
  public final void write(int variable, long element, MemorySegment bytes) throws IOException {
    PlaneVariable planes = bundle.variables().get(variable);
    int size = planes.type().sizeBytes();
    boolean hasLevels = bundle.header().variables().get(planes.index()).dimensions().size() > 2;
    long count = bytes.byteSize() / size;
    for (long done = 0; done < count; ) {
      Slab slab = Slab.first(bundle.grid(), element + done, count - done);
      MemorySegment part = bytes.asSlice(done * size, slab.elements() * size);
      put(planes, slab.start(hasLevels), slab.count(hasLevels), part);
      done += slab.elements();
    }
  }

  /** No other aggregator needs them. */
  @Override
  public final long[] places() {
    return new long[bundle.variables().size()];
  }

  @Override
  public final void commit() throws IOException {
    names.commit();
  }

  @Override
  public void discard() throws IOException {
    names.discard();
  }
}
