// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens files that ranks share. Any thread. */
@FunctionalInterface
public interface Storage {
  /** This rank's own handle of a file. */
  SharedFile open(Path path, OpenOption... options) throws IOException;

  /** Where the path says: files of the operating system, or of a Forebay instance. */
  static Storage standard() {
    return (path, options) ->
        FileNames.isOfInstance(path)
            ? InstanceFile.open(path, options)
            : PosixFile.open(path, options);
  }
}
