package io.forebay.netcdf;

import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.direct.DirectDriver;
import io.forebay.netcdf.format.ByteSource;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.PosixFile;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Creates and opens files, with the drivers that their names and settings ask for. */
final class FileOpening {
  private final Group group;
  private final Agreement agreement;
  private final String name;
  private final Hints hints;

  FileOpening(Group group, String name, Hints hints) {
    this.group = group;
    this.name = name;
    this.hints = hints;
    agreement = new Agreement(group);
  }

  NetcdfFile create(Format format, CreateMode mode) throws IOException {
    requireSameName();
    // The first rank creates, and only then do the others open.
    SharedFile file = null;
    IOException failure = null;
    OpenOption[] first =
        mode == CreateMode.NEW
            ? options(StandardOpenOption.CREATE_NEW)
            : options(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    try {
      if (group.rank() == 0) file = openFile(first);
    } catch (IOException e) {
      failure = e;
    }
    agreement.reach(failure);
    return opened(file, OpenMode.WRITE, Header.empty(format), true);
  }

  private static OpenOption[] options(OpenOption... more) {
    OpenOption[] all = new OpenOption[more.length + 2];
    all[0] = StandardOpenOption.READ;
    all[1] = StandardOpenOption.WRITE;
    System.arraycopy(more, 0, all, 2, more.length);
    return all;
  }

  NetcdfFile open(OpenMode mode) throws IOException {
    requireSameName();
    byte[] bytes = new byte[0];
    IOException failure = null;
    if (group.rank() == 0) {
      try (SharedFile file = openFile(StandardOpenOption.READ)) {
        bytes = HeaderWriter.write(HeaderReader.read(sourceOf(file)));
      } catch (IOException e) {
        failure = e;
      }
    }
    agreement.reach(failure);
    Header header = HeaderReader.read(ByteSource.of(group.broadcast(bytes, 0)));
    return opened(null, mode, header, false);
  }

  /** Each rank opens the file, and all of them go on or none. */
  private NetcdfFile opened(@Nullable SharedFile own, OpenMode mode, Header header, boolean isNew)
      throws IOException {
    SharedFile file = own;
    NetcdfFile opened = null;
    IOException failure = null;
    try {
      if (file == null) {
        file = mode == OpenMode.WRITE ? openFile(options()) : openFile(StandardOpenOption.READ);
      }
      boolean writable = mode == OpenMode.WRITE;
      Driver driver = new DirectDriver(group, file, header, hints.direct(), writable);
      opened = new NetcdfFile(group, driver, header, hints.headerAlignmentBytes(), writable, isNew);
    } catch (IOException e) {
      failure = e;
    }
    try {
      agreement.reach(failure);
    } catch (NetcdfException e) {
      if (file != null) file.close();
      throw e;
    }
    if (opened == null) throw new IllegalStateException("nothing was opened");
    return opened;
  }

  private SharedFile openFile(OpenOption... options) throws IOException {
    try {
      return PosixFile.open(Path.of(name), options);
    } catch (FileAlreadyExistsException e) {
      throw new NetcdfException(NetcdfError.EXISTS, name + " exists already", e);
    }
  }

  private static ByteSource sourceOf(SharedFile file) {
    return new ByteSource() {
      @Override
      public long size() throws IOException {
        return file.sizeBytes();
      }

      @Override
      public void read(ByteBuffer target, long offset) throws IOException {
        long read = file.read(MemorySegment.ofBuffer(target), offset);
        if (read < target.remaining()) {
          throw new NetcdfException(NetcdfError.TRUNCATED, file.name() + " became shorter");
        }
        target.position(target.limit());
      }
    };
  }

  private void requireSameName() throws NetcdfException {
    CRC32C checksum = new CRC32C();
    checksum.update(name.getBytes(StandardCharsets.UTF_8));
    long mine = checksum.getValue();
    long[] highest = agreement.reach(null, mine, -mine);
    if (highest[0] != -highest[1]) {
      throw new NetcdfException(NetcdfError.RANKS_DIFFER, "ranks give different names: " + name);
    }
  }
}
