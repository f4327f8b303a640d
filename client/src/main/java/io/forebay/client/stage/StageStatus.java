// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a stage.
 *
 * @param files found so far; all there are once {@code counted}
 * @param bytes of those files
 * @param filesDone complete at their destination, copied or already there
 * @param filesPresent of those, how many were there already
 * @param bytesCopied by the server that works on it now, or did last
 * @param filesFailed not at their destination; {@link Staging#problems} tells why
 * @param notes how many staged files have a note
 * @param server the server that works on it, or did; empty if none has yet
 * @param failure why the whole stage failed, in a sentence; empty if it did not
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
    long bytesCopied,
    long filesFailed,
    long notes,
    String server,
    String failure,
    Instant created,
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

  /** Files that are found and neither done nor failed. */
  public long filesPending() {
    return files - filesDone - filesFailed;
  }
}
