// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import io.forebay.client.file.FileStat;
import io.forebay.client.nio.ForebayFileSystemProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The identity and the modification time of a file, without reading its content.
 *
 * @param number the number of the inode, or of the instance's file
 * @param modifiedNanos since 1970, by the storage's clock
 */
public record FileStamp(long number, long sizeBytes, long modifiedNanos) {
  /** The stamp of a file that exists. */
  public static FileStamp of(Path file) throws IOException {
    if (FileNames.isOfInstance(file)) {
      FileStat stat =
          ForebayFileSystemProvider.clientOf(file).stat(file.toAbsolutePath().toString());
      return new FileStamp(stat.number(), stat.sizeBytes(), nanos(stat.modifyTime()));
    }
    BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
    long modified = found.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    return new FileStamp(number(file), found.size(), modified);
  }

  private static long number(Path file) throws IOException {
    Object number = Files.getAttribute(file, "unix:ino");
    if (number instanceof Long known) return known;
    throw new IOException(file + " has no number");
  }

  private static long nanos(Instant instant) {
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
  }

  /** When the file was last changed. */
  public Instant modified() {
    return Instant.ofEpochSecond(0, modifiedNanos);
  }
}
