// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

import io.forebay.wire.message.Names;
import java.time.Instant;

/**
 * The attributes of a file, a directory, a symbolic link or a special file.
 *
 * @param number never reused within its tree
 * @param mode the permission bits, such as 0644
 * @param allocatedBytes what it holds, plus what was allocated to it and is not written yet
 * @param version grows with every publish and truncation
 * @param device the device number, as in Linux; 0 for all but devices
 */
public record FileStat(
    long number,
    Kind kind,
    int mode,
    int user,
    int group,
    int links,
    long sizeBytes,
    long allocatedBytes,
    Instant accessTime,
    Instant modifyTime,
    Instant changeTime,
    long version,
    long device) {
  /** What a name can refer to. */
  public enum Kind {
    FILE,
    DIRECTORY,
    SYMLINK,
    FIFO,
    SOCKET,
    CHARACTER_DEVICE,
    BLOCK_DEVICE
  }

  /** The permission bits of a mode. */
  public static final int MODE_BITS = 07777;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  public static FileStat of(Names.Attributes told) {
    Kind kind =
        switch (told.kind()) {
          case FILE -> Kind.FILE;
          case DIRECTORY -> Kind.DIRECTORY;
          case SYMLINK -> Kind.SYMLINK;
          case FIFO -> Kind.FIFO;
          case SOCKET -> Kind.SOCKET;
          case CHARACTER_DEVICE -> Kind.CHARACTER_DEVICE;
          case BLOCK_DEVICE -> Kind.BLOCK_DEVICE;
        };
    return new FileStat(
        told.number(),
        kind,
        told.mode() & MODE_BITS,
        told.user(),
        told.group(),
        told.links(),
        told.sizeBytes(),
        told.allocatedBytes() + told.reservedBytes(),
        instant(told.accessNanos()),
        instant(told.modifyNanos()),
        instant(told.changeNanos()),
        told.version(),
        told.device());
  }

  /** The same with another number of names. */
  public FileStat withLinks(int names) {
    return new FileStat(
        number,
        kind,
        mode,
        user,
        group,
        names,
        sizeBytes,
        allocatedBytes,
        accessTime,
        modifyTime,
        changeTime,
        version,
        device);
  }

  public boolean isFile() {
    return kind == Kind.FILE;
  }

  public boolean isDirectory() {
    return kind == Kind.DIRECTORY;
  }

  /** Whether it is a FIFO, a socket or a device: there is nothing to read or write in it. */
  public boolean isSpecial() {
    return kind.compareTo(Kind.SYMLINK) > 0;
  }

  /** The upper part of a device's number: which driver it has. */
  public int deviceMajor() {
    return (int) (device >>> 8) & 0xfff;
  }

  /** The lower part of a device's number, which Linux keeps in two pieces. */
  public int deviceMinor() {
    return (int) ((device & 0xff) | ((device >>> 12) & 0xfff00));
  }

  public static Instant instant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  static long nanos(Instant instant) {
    return instant.getEpochSecond() * NANOS_PER_SECOND + instant.getNano();
  }
}
