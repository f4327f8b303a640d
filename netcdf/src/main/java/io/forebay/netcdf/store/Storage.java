package io.forebay.netcdf.store;

import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens files that ranks share. Any thread. */
@FunctionalInterface
public interface Storage {
  /** This rank's own handle of a file. */
  SharedFile open(Path path, OpenOption... options) throws IOException;

  /** Where the path says: files of the operating system. */
  static Storage standard() {
    return PosixFile::open;
  }
}
