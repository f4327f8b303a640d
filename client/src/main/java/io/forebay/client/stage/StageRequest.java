// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

/**
 * A request to stage. Start with {@link #in}, {@link #out} or one for lists, and change what you
 * need. A directory is staged with all its contents.
 *
 * @param source a path on the source side; empty for a list
 * @param destination a path on the other side; with a slash at its end, the directory to copy into
 * @param concurrency how many files, or ranges of large ones, each server copies at a time
 * @param replace whether existing files that differ are replaced
 * @param deferred whether it waits until it is started or the instance ends
 * @param onlyLooks whether servers only look if the sources can be read, and copy nothing
 */
public record StageRequest(
    Direction direction,
    String source,
    String destination,
    int concurrency,
    boolean replace,
    boolean deferred,
    boolean onlyLooks) {
  /** Which way. */
  public enum Direction {
    /** From the file system into the instance. */
    IN,
    /** From the instance to the file system. */
    OUT
  }

  public static final int CONCURRENCY_DEFAULT = 8;
  public static final int CONCURRENCY_MAX = 32;

  public StageRequest {
    if (concurrency < 1 || concurrency > CONCURRENCY_MAX) {
      throw new IllegalArgumentException(
          "concurrency %d; it is from 1 to %d".formatted(concurrency, CONCURRENCY_MAX));
    }
    if (source.isEmpty() != destination.isEmpty()) {
      throw new IllegalArgumentException("a source and a destination, or neither for a list");
    }
    if (deferred && direction == Direction.IN) {
      throw new IllegalArgumentException("only a stage out can be deferred");
    }
  }

  /** A file or directory of the servers' file system, into the instance. */
  public static StageRequest in(String source, String destination) {
    return new StageRequest(
        Direction.IN,
        requirePath(source),
        requirePath(destination),
        CONCURRENCY_DEFAULT,
        false,
        false,
        false);
  }

  /** A file or directory of the instance, to the servers' file system. */
  public static StageRequest out(String source, String destination) {
    return new StageRequest(
        Direction.OUT,
        requirePath(source),
        requirePath(destination),
        CONCURRENCY_DEFAULT,
        false,
        false,
        false);
  }

  /** Many sources with their destinations, which are given beside it. */
  public static StageRequest list(Direction direction) {
    return new StageRequest(direction, "", "", CONCURRENCY_DEFAULT, false, false, false);
  }

  private static String requirePath(String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("'" + path + "' is no whole path; begin it with a slash");
    }
    if (path.indexOf('\0') >= 0) throw new IllegalArgumentException("a path with a zero byte");
    return path;
  }

  /** Whether sources and destinations are in a list. */
  public boolean isList() {
    return source.isEmpty();
  }

  public StageRequest withConcurrency(int files) {
    return new StageRequest(direction, source, destination, files, replace, deferred, onlyLooks);
  }

  public StageRequest withReplace(boolean whether) {
    return new StageRequest(
        direction, source, destination, concurrency, whether, deferred, onlyLooks);
  }

  public StageRequest withDeferred(boolean whether) {
    return new StageRequest(
        direction, source, destination, concurrency, replace, whether, onlyLooks);
  }

  /** Copies nothing: it succeeds if the owner of the instance can read all sources. */
  public StageRequest withOnlyLooks(boolean whether) {
    return new StageRequest(
        direction, source, destination, concurrency, replace, deferred, whether);
  }
}
