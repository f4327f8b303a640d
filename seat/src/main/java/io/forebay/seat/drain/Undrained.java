// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

/**
 * Files of a tree that wait for their drain, as its home has last seen them; for monitoring.
 *
 * @param bytes what they hold
 * @param oldestNanos since when the oldest of them has waited, by the seat's clock; irrelevant if
 *     there are none
 */
public record Undrained(int instance, long files, long bytes, long oldestNanos) {
  static final Undrained NONE = new Undrained(0, 0, 0, 0);

  /** Adds up files. */
  static final class Sum {
    private long files;
    private long bytes;
    private long oldestNanos;

    void add(long fileBytes, long sinceNanos) {
      oldestNanos = files == 0 || sinceNanos - oldestNanos < 0 ? sinceNanos : oldestNanos;
      files++;
      bytes += fileBytes;
    }

    Undrained of(int instance) {
      return new Undrained(instance, files, bytes, oldestNanos);
    }
  }
}
