// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Locks of the operating system, which releases them when a process ends. */
final class PosixClaims implements Claims {
  @Override
  public SharedFile make(Path path) throws IOException {
    Files.deleteIfExists(path);
    return PosixFile.open(
        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public boolean claim(SharedFile file, long place) throws IOException {
    return ((PosixFile) file).tryLock(place);
  }

  @Override
  public boolean isUsed(Path path, long placeBytes) throws IOException {
    try (PosixFile file = PosixFile.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long places = Math.ceilDiv(Math.max(1, file.sizeBytes()), placeBytes);
      for (long i = 0; i < places; i++) {
        if (!file.tryLock(i * placeBytes)) return true;
      }
      return false;
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
