// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.DimensionId;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.NetcdfFiles;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Coordinate;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.logging.LogName;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.FileNames;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Files of the classic formats through the logging driver: the root alone writes, to a log on fast
 * storage, which reaches the file in large writes when it is closed.
 */
public final class LoggedFiles implements BundleFiles {
  private final NetcdfFiles files;
  private final Hints hints;

  public LoggedFiles(NetcdfFiles files, Hints hints) {
    this.files = files;
    this.hints = hints;
  }

  @Override
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public int writersMax() {
    return 1;
  }

  @Override
  public BundleDraft create(Bundle bundle, String name) throws IOException {
    TemporaryName names = TemporaryName.of(name);
    names.check();
    NetcdfFile file =
        files.create(
            Ranks.alone(),
            FileNames.absolute(names.path()),
            bundle.header().format(),
            CreateMode.REPLACE,
            hints);
    try {
      define(file, bundle);
      for (Coordinate coordinate : bundle.coordinates()) {
        file.put(new VariableId(coordinate.index()), Selection.all(), coordinate.values());
      }
    } catch (IOException | RuntimeException e) {
      TemporaryName.abandon(e, file::close, names::discard, () -> discardLogs(names, hints));
      throw e;
    }
    return new Draft(file, bundle, names, hints);
  }

  private static void define(NetcdfFile file, Bundle bundle) throws IOException {
    for (Dimension dimension : bundle.header().dimensions()) {
      file.defineDimension(dimension.name(), dimension.length());
    }
    for (Attribute attribute : bundle.header().attributes()) file.putAttribute(attribute);
    for (Variable variable : bundle.header().variables()) {
      DimensionId[] along =
          variable.dimensions().stream().map(DimensionId::new).toArray(DimensionId[]::new);
      VariableId id = file.defineVariable(variable.name(), variable.type(), along);
      for (Attribute attribute : variable.attributes()) file.putAttribute(id, attribute);
    }
    file.endDefine();
  }

  /** A log whose writes did not reach the file is kept when the file is closed. */
  private static void discardLogs(TemporaryName names, Hints hints) throws IOException {
    Path path = names.path().toAbsolutePath().normalize();
    LogName.discardAll(hints.logDirectory(path), path);
  }

  @Override
  public BundleFile open(Bundle bundle, String name, long[] places) {
    throw new IllegalStateException("a logged file has one writer");
  }

  private static final class Draft extends SlabDraft {
    private final NetcdfFile file;
    private final TemporaryName names;
    private final Hints hints;

    Draft(NetcdfFile file, Bundle bundle, TemporaryName names, Hints hints) {
      super(bundle, names);
      this.file = file;
      this.names = names;
      this.hints = hints;
    }

    @Override
    protected void put(PlaneVariable variable, long[] start, long[] count, MemorySegment bytes)
        throws IOException {
      Values values = new Values(bytes, variable.type(), ByteOrder.BIG_ENDIAN);
      file.put(new VariableId(variable.index()), Selection.of(start, count), values);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }

    @Override
    public void discard() throws IOException {
      super.discard();
      discardLogs(names, hints);
    }
  }
}
