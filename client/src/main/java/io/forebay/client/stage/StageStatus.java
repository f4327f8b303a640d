// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a stage.
 *
 * @param files found so far; all there are once {@code counted}
 * @param bytes of those files
 * @param filesDone complete at their destination, copied or already there
 * @param filesPresent of those, how many were there already
 * @param bytesPresent of files that were there already
 * @param bytesCopied since a server last began to walk through it; more than once if copied again
 * @param filesFailed not at their destination; {@link Staging#problems} tells why
 * @param notes how many staged files have a note
 * @param server the server that walks through it, or did; empty if none has yet
 * @param others the servers that copied beside it
 * @param failure why the whole stage failed, in a sentence; empty if it did not
 * @param started when a server last began to walk through it; null before the first
 * @param ended null unless it is over
 */
public record StageStatus(
    String id,
    StageRequest request,
    State state,
    boolean counted,
    long files,
    long bytes,
    long filesDone,
    long filesPresent,
    long bytesPresent,
    long bytesCopied,
    long filesFailed,
    long notes,
    String server,
    List<String> others,
    String failure,
    Instant created,
    @Nullable Instant started,
    @Nullable Instant ended) {
  /** Where in its life a stage is. */
  public enum State {
    /** Waits for its start. */
    DEFERRED,
    /** No server has begun it. */
    PENDING,
    RUNNING,
    /** Everything is at its destination. */
    DONE,
    /** Something is not, and nothing more is done about it. */
    FAILED,
    CANCELLED;

    /** Whether nothing more happens. */
    public boolean isOver() {
      return this == DONE || this == FAILED || this == CANCELLED;
    }
  }

  public StageStatus {
    others = List.copyOf(others);
  }

  /** Bytes that are found and not at their destination, as far as is known. */
  public long bytesPending() {
    return Math.max(0, bytes - bytesPresent - bytesCopied);
  }

  /**
   * How long it will take at the rate so far: of bytes, or of files if all bytes are copied. Null
   * if not everything is found yet, or nothing is copied.
   */
  public @Nullable Duration remaining(Instant now) {
    if (state != State.RUNNING || !counted || started == null) return null;
    long bytesLeft = bytesPending();
    boolean byBytes = bytesLeft > 0 && bytesCopied > 0;
    double left = byBytes ? bytesLeft : filesPending();
    double done = byBytes ? bytesCopied : filesDone - filesPresent;
    if (done <= 0) return null;
    return Duration.ofNanos((long) (left / done * Duration.between(started, now).toNanos()));
  }

  /** Files that are found and neither done nor failed. */
  public long filesPending() {
    return files - filesDone - filesFailed;
  }
}
