package io.forebay.client;

import io.forebay.wire.message.Names;
import java.time.Instant;

/**
 * What is known of a file, a directory or a symbolic link.
 *
 * @param number never reused within its tree
 * @param mode the permission bits, such as 0644
 * @param version grows with every publish and truncation
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
    long version) {
  /** What a name can stand for. */
  public enum Kind {
    FILE,
    DIRECTORY,
    SYMLINK
  }

  /** The bits of a mode that tell who may do what. */
  public static final int MODE_BITS = 07777;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  static FileStat of(Names.Attributes told) {
    Kind kind =
        switch (told.kind()) {
          case FILE -> Kind.FILE;
          case DIRECTORY -> Kind.DIRECTORY;
          case SYMLINK -> Kind.SYMLINK;
        };
    return new FileStat(
        told.number(),
        kind,
        told.mode() & MODE_BITS,
        told.user(),
        told.group(),
        told.links(),
        told.sizeBytes(),
        told.allocatedBytes(),
        instant(told.accessNanos()),
        instant(told.modifyNanos()),
        instant(told.changeNanos()),
        told.version());
  }

  public boolean isFile() {
    return kind == Kind.FILE;
  }

  public boolean isDirectory() {
    return kind == Kind.DIRECTORY;
  }

  static Instant instant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  static long nanos(Instant instant) {
    return instant.getEpochSecond() * NANOS_PER_SECOND + instant.getNano();
  }
}
