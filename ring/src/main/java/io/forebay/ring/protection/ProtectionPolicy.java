// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.protection;

import io.forebay.base.ByteSize;
import io.forebay.base.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the users of an instance may write. Limits of 0 do not limit.
 *
 * @param window how many bytes within which time
 * @param fileBytesMax the largest size of a file
 * @param filesMax how many files may be created, deleted ones included
 * @param logs whether servers log when a limit on bytes is exceeded
 * @param refuses whether requests beyond the limits fail
 */
public record ProtectionPolicy(
    Window window, long fileBytesMax, long filesMax, boolean logs, boolean refuses) {
  /** Limits nothing. */
  public static final ProtectionPolicy NONE = new ProtectionPolicy(Window.NONE, 0, 0, false, false);

  /** The word for no protection, where a pool would have one. */
  public static final String NONE_WORD = "none";

  /**
   * A limit on the bytes that are written within a moving window.
   *
   * @param times a multiple of the instance's capacity, or 0 if the limit is a size
   * @param bytes the limit as a size, or 0
   * @param millis the length of the window; 0 for no limit
   */
  public record Window(int times, long bytes, long millis) {
    public static final long MILLIS_MIN = 1000;
    public static final long MILLIS_MAX = TimeUnit.DAYS.toMillis(366);
    public static final int TIMES_MAX = 1_000_000;
    public static final Window NONE = new Window(0, 0, 0);

    public Window {
      if (millis != 0 && (millis < MILLIS_MIN || millis > MILLIS_MAX)) {
        throw new IllegalArgumentException("a window of 1s to 366d, not " + TimeText.of(millis));
      }
      if (times < 0 || times > TIMES_MAX) {
        throw new IllegalArgumentException("1x to " + TIMES_MAX + "x the capacity");
      }
      if (bytes < 0) throw new IllegalArgumentException(bytes + " bytes");
    }

    public boolean isNone() {
      return millis == 0;
    }

    @Override
    public String toString() {
      return (times > 0 ? times + "x" : ProtectionText.size(bytes)) + "/" + TimeText.of(millis);
    }
  }

  /**
   * Reads a policy such as {@code window=10x/24h,file-size=1TiB,files=1000000,log,error}. Without
   * {@code log} and {@code error} it means both.
   *
   * @throws IllegalArgumentException if it is not valid; the message names the text and the remedy
   */
  public static ProtectionPolicy parse(String text) {
    String words = text.strip();
    return words.isEmpty() || words.equals(NONE_WORD) ? NONE : ProtectionText.parse(words);
  }

  /** The policy of an instance by its text; none if it cannot be read. */
  public static ProtectionPolicy of(String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      // The manager refuses policies that it cannot read; one of another version may be unreadable
      // here.
      return NONE;
    }
  }

  public boolean isNone() {
    return window.isNone() && fileBytesMax == 0 && filesMax == 0;
  }

  /** Whether an instance of that capacity can have this policy: a multiple needs a capacity. */
  public boolean suits(long capacityBytes) {
    return window.times() == 0 || capacityBytes > 0;
  }

  /** How many bytes may be written within the window; 0 for no limit. */
  public long windowBytesMax(long capacityBytes) {
    if (window.times() == 0) return window.bytes();
    boolean overflows = capacityBytes > Long.MAX_VALUE / window.times();
    return overflows ? Long.MAX_VALUE : capacityBytes * window.times();
  }

  /** Files may not get larger than this; {@link Long#MAX_VALUE} if that is not limited. */
  public long allowedFileBytes() {
    return fileBytesMax == 0 || !refuses ? Long.MAX_VALUE : fileBytesMax;
  }

  /** No more files may be created; {@link Long#MAX_VALUE} if that is not limited. */
  public long allowedFiles() {
    return filesMax == 0 || !refuses ? Long.MAX_VALUE : filesMax;
  }

  /** The policy as {@link #parse} reads it; empty for none. */
  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    if (!window.isNone()) words.add("window=" + window);
    if (fileBytesMax > 0) words.add("file-size=" + ProtectionText.size(fileBytesMax));
    if (filesMax > 0) words.add("files=" + filesMax);
    if (words.isEmpty()) return "";
    if (logs) words.add("log");
    if (refuses) words.add("error");
    return String.join(",", words);
  }

  /** The sentence for a file that would get too large. */
  public String fileTooLarge(long sizeBytes) {
    return "the file would have %s, and the instance's write protection allows files of %s"
        .formatted(ByteSize.format(sizeBytes), ByteSize.format(fileBytesMax));
  }
}
