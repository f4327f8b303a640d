// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The two names of a file that becomes visible only when it is whole: beside the final name the
 * same name with {@value #SUFFIX}.
 */
public final class TemporaryName {
  public static final String SUFFIX = ".partial";

  private final Path last;
  private final Path temporary;

  private TemporaryName(Path last, Path temporary) {
    this.last = last;
    this.temporary = temporary;
  }

  public static TemporaryName of(String name) throws NetcdfException {
    return new TemporaryName(FileNames.parse(name), FileNames.parse(name + SUFFIX));
  }

  /** Where the file is written. */
  public Path path() {
    return temporary;
  }

  /** Throws if the file's directory does not exist, or the name is a directory's. */
  public void check() throws IOException {
    Path parent = last.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new NetcdfException(
          NetcdfError.STORAGE, "directory '" + parent + "' does not exist; create it first");
    }
    if (Files.isDirectory(last)) {
      throw new NetcdfException(
          NetcdfError.EXISTS, "'" + last + "' is a directory; choose another name");
    }
  }

  /** Gives the file its final name, in place of a file that has it. */
  public void commit() throws IOException {
    Files.move(
        temporary, last, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  public void discard() throws IOException {
    Files.deleteIfExists(temporary);
  }

  /** A step of removing a file that could not be completed. */
  public interface Removal {
    void run() throws IOException;
  }

  /** Removes a file after a failure. Failures on the way are noted on the first one. */
  public static void abandon(Exception failure, Removal... removals) {
    for (Removal removal : removals) {
      try {
        removal.run();
      } catch (IOException | RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
