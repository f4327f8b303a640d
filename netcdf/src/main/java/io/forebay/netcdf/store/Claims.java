// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Tells files in use by a running program from files that a program left behind, however it ended.
 * Any thread.
 */
public interface Claims {
  /** The claims of the storage of a path. */
  static Claims of(Path path) {
    return FileNames.isOfInstance(path) ? new InstanceClaims() : new PosixClaims();
  }

  /**
   * Makes an empty file in place of one that was left. It counts as in use from the moment that its
   * handle is claimed or, on an instance, made.
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
