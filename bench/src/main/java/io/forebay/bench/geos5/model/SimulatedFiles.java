// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.file.BundleFile;
import io.forebay.netcdf.bundle.file.BundleFiles;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/** Files that have a name and take time. */
final class SimulatedFiles implements BundleFiles {
  /** As many as there can be ranks. */
  private static final int WRITERS_MAX = SimulatedRanks.SIZE_MAX;

  private final VirtualTime time;
  private final SimulatedStore store;

  SimulatedFiles(VirtualTime time, SimulatedStore store) {
    this.time = time;
    this.store = store;
  }

  @Override
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public int writersMax() {
    return WRITERS_MAX;
  }

  @Override
  public BundleDraft create(Bundle bundle, String name) {
    store.create();
    return new File(name, bundle.variables().size());
  }

  @Override
  public BundleFile open(Bundle bundle, String name, long[] places) {
    store.open();
    return new File(name, bundle.variables().size());
  }

  /** A handle; the same for the root and for others. */
  private final class File implements BundleDraft {
    private final String name;
    private final int variables;

    File(String name, int variables) {
      this.name = name;
      this.variables = variables;
    }

    @Override
    public void write(int variable, long element, MemorySegment bytes) {
      store.write(time.running().node(), name, bytes.byteSize());
    }

    @Override
    public long[] places() {
      return new long[variables];
    }

    @Override
    public void commit() {
      store.rename();
    }

    @Override
    public void discard() {
      store.rename();
    }

    @Override
    public void close() {
      // What is in the node's cache is brought to the store later.
    }
  }
}
