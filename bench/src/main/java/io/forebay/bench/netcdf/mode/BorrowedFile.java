// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;

/** A file that its owner closes. One rank's thread. */
final class BorrowedFile extends ForwardingFile {
  BorrowedFile(SharedFile file) {
    super(file);
  }

  @Override
  public void close() {
    // The owner does.
  }
}
