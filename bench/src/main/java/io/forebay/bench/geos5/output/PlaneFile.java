// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.file.Netcdf4Provider;
import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.ServiceLoader;

/** A bundle's file as a master writes it: alone, plane by plane, with a serial library. */
interface PlaneFile extends AutoCloseable {
  /** Writes one plane, in this machine's byte order. */
  void write(int variable, long level, MemorySegment plane) throws IOException;

  @Override
  void close() throws IOException;

  /** Creates and defines the file. */
  static PlaneFile create(OutputGround ground, int step, int number) throws IOException {
    Bundle bundle = ground.pattern().bundles().get(number);
    String name = ground.place() + BundlePattern.name(bundle, step);
    if (bundle.format() == BundleFormat.NETCDF4) return Compiled.create(bundle, name);
    NetcdfFile file =
        ground
            .files()
            .create(
                Ranks.alone(),
                name,
                bundle.format().definitions(),
                CreateMode.REPLACE,
                Hints.parse("burst_buffer=disable"));
    return new Classic(file, bundle, BundlePattern.shape(bundle, step).define(file));
  }

  /** Of a classic format, by this library. */
  record Classic(NetcdfFile file, Bundle bundle, List<VariableId> ids) implements PlaneFile {
    @Override
    public void write(int variable, long level, MemorySegment plane) throws IOException {
      PlaneVariable written = bundle.variables().get(variable);
      Grid grid = bundle.grid();
      boolean deep = bundle.header().variables().get(written.index()).dimensions().size() > 2;
      Selection selection =
          deep
              ? Selection.of(new long[] {level, 0, 0}, new long[] {1, grid.rows(), grid.columns()})
              : Selection.of(new long[] {0, 0}, new long[] {grid.rows(), grid.columns()});
      file.putAll(ids.get(variable), selection, Values.of(plane, written.type()));
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** Of netCDF-4, by the C library. */
  record Compiled(BundleDraft draft, Bundle bundle, BundleFiles files) implements PlaneFile {
    static Compiled create(Bundle bundle, String name) throws IOException {
      BundleFiles files =
          ServiceLoader.load(Netcdf4Provider.class)
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("there is no netCDF-4"))
              .files(bundle, false);
      return new Compiled(files.create(bundle, name), bundle, files);
    }

    @Override
    public void write(int variable, long level, MemorySegment plane) throws IOException {
      PlaneVariable written = bundle.variables().get(variable);
      long first = level * bundle.grid().elements();
      try (Arena arena = Arena.ofShared()) {
        MemorySegment turned = arena.allocate(plane.byteSize(), Long.BYTES);
        Conversion.copy(
            Values.of(plane, written.type()), new Values(turned, written.type(), files.order()));
        draft.write(variable, first, turned);
      }
    }

    @Override
    public void close() throws IOException {
      draft.close();
      draft.commit();
    }
  }
}
