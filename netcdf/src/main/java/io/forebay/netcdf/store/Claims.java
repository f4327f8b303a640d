// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Distinguishes files that a running program uses from files that an ended program left behind. Any
 * thread.
 */
public interface Claims {
  /** The claims of the storage of a path. */
  static Claims of(Path path) {
    return FileNames.isOfInstance(path) ? new InstanceClaims() : new PosixClaims();
  }

  /**
   * Creates an empty file in place of a leftover one. It counts as in use as soon as its handle is
   * claimed or, on an instance, created.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it is in use
   */
  SharedFile make(Path path) throws IOException;

  /**
   * Marks a place of a file as in use until the handle is closed or this process ends.
   *
   * @param place any byte of the file; several handles may have places of their own
   * @return false if another process uses it
   */
  boolean claim(SharedFile file, long place) throws IOException;

  /**
   * Whether a file is in use; not if there is none.
   *
   * @param placeBytes the distance between places that may be claimed
   */
  boolean isUsed(Path path, long placeBytes) throws IOException;
}
