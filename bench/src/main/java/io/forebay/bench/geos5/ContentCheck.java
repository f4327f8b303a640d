// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.Scratch;
import io.forebay.bench.netcdf.SameContent;
import io.forebay.netcdf.store.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Compares the files of each way with those of the first. One thread. */
final class ContentCheck {
  private final Path kept;
  private final List<String> names;

  /**
   * Keeps the files of the first way.
   *
   * @param directory a new one
   * @param place what stands in front of the files' names
   */
  ContentCheck(Path directory, String place, List<String> names) throws IOException {
    this.kept = directory;
    this.names = names;
    for (String name : names) Files.copy(FileNames.parse(place + name), directory.resolve(name));
  }

  /** Whether all files are the same, byte for byte; throws an exception if they are not. */
  void requireSame(String way, String place) throws IOException {
    for (String name : names) {
      long at = mismatch(kept.resolve(name), FileNames.parse(place + name));
      if (at >= 0) {
        throw new IOException(
            "%s of %s differs from that of the first way at byte %d".formatted(name, way, at));
      }
    }
  }

  /** Whether files of another library have the same content, perhaps at other positions. */
  String compare(String place) throws IOException {
    Path theirs = Path.of(place);
    boolean sameBytes = true;
    for (String name : names) {
      if (mismatch(kept.resolve(name), theirs.resolve(name)) < 0) continue;
      sameBytes = false;
      String what = SameContent.difference(kept.resolve(name), theirs.resolve(name));
      if (!what.isEmpty()) return name + " of the C library differs in " + what + ".";
    }
    return sameBytes
        ? "Files of the C library are the same, byte for byte."
        : "Files of the C library have the same content, at other positions.";
  }

  private static long mismatch(Path one, Path other) throws IOException {
    if (!Files.exists(other)) throw new IOException(other + " was not written");
    return Files.mismatch(one, other);
  }

  void delete() throws IOException {
    Scratch.delete(kept);
  }
}
