// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import io.forebay.netcdf.store.FileNames;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.netcdf.validate.Validation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** A netCDF file from an argument: opened, or one sentence why it cannot be. */
final class NetcdfSource implements AutoCloseable {
  private static final long HDF5_MAGIC = 0x89_48_44_46_0d_0a_1a_0aL;
  private static final int CDF_MAGIC = ('C' << 16) | ('D' << 8) | 'F';

  private final String name;
  private final SharedFile file;

  private NetcdfSource(String name, SharedFile file) {
    this.name = name;
    this.file = file;
  }

  /** Opens a file of one of the classic formats for reading. */
  static NetcdfSource open(String name) throws IOException {
    Path path = path(name);
    if (!Files.exists(path)) {
      throw new CommandFailed("'" + name + "' does not exist; name a netCDF file");
    }
    if (Files.isDirectory(path)) {
      throw new CommandFailed("'" + name + "' is a directory; name a netCDF file in it");
    }
    NetcdfSource source =
        new NetcdfSource(name, Storage.standard().open(path, StandardOpenOption.READ));
    try {
      source.requireClassic();
      return source;
    } catch (IOException | CommandFailed e) {
      source.close();
      throw e;
    }
  }

  /** The path of a name, which may be one of an instance: {@code forebay://…}. */
  static Path path(String name) {
    try {
      return FileNames.parse(name);
    } catch (NetcdfException e) {
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    }
  }

  private void requireClassic() throws IOException {
    if (file.sizeBytes() == 0) throw new CommandFailed("'" + name + "' is empty");
    if (file.sizeBytes() < Long.BYTES) return;
    ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
    file.asSource().read(magic, 0);
    if (magic.getLong(0) == HDF5_MAGIC) {
      throw new CommandFailed(
          "'%s' is a netCDF-4 (HDF5) file; convert it with 'nccopy -k cdf5 %s NEW.nc'"
              .formatted(name, name));
    }
    if (magic.getInt(0) >>> Byte.SIZE != CDF_MAGIC) {
      throw new CommandFailed("'" + name + "' is not a netCDF file: it does not begin with CDF");
    }
  }

  String name() {
    return name;
  }

  SharedFile file() {
    return file;
  }

  Header header() throws IOException {
    try {
      return HeaderReader.read(file.asSource());
    } catch (NetcdfException e) {
      throw failed(e);
    }
  }

  /**
   * Warns if the file ends before its data. PnetCDF omits unwritten data at the end; but a
   * truncated file looks the same.
   */
  void warnIfShort(PrintWriter err) throws IOException {
    Validation found = Validation.of(file.asSource());
    if (found.fileBytes() >= found.expectedBytes()) return;
    err.println(
        "forebay: '%s' ends at byte %d and its data at byte %d; what is missing is read as zeros"
            .formatted(name, found.fileBytes(), found.expectedBytes()));
    err.flush();
  }

  /** The error for a file that cannot be read. */
  CommandFailed failed(NetcdfException e) {
    String what =
        switch (e.error()) {
          case MALFORMED, TRUNCATED ->
              "'%s' cannot be read: %s; 'forebay netcdf validate %s' lists what is wrong"
                  .formatted(name, e.getMessage(), name);
          default -> "'" + name + "': " + e.getMessage();
        };
    return new CommandFailed(what, e);
  }

  /** All of the names are variables of this file. */
  void requireVariables(Header header, Set<String> names) {
    for (String wanted : names) {
      if (header.variableNamed(wanted) >= 0) continue;
      String there =
          String.join(", ", header.variables().stream().map(Variable::name).limit(10).toList());
      throw new CommandFailed(
          "'%s' has no variable '%s'%s"
              .formatted(name, wanted, there.isEmpty() ? "" : "; it has " + there));
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
