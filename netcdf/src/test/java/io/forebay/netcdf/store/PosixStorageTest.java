// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class PosixStorageTest extends StorageContract {
  @TempDir Path folder;

  @Override
  Path folder() {
    return folder;
  }
}
