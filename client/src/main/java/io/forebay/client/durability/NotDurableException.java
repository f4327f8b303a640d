// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

import io.forebay.client.failure.ForebayException;
import io.forebay.wire.message.ErrorCode;
import java.time.Duration;

/** What was waited for is not in the backing store yet. It is safe in the buffer all the same. */
public class NotDurableException extends ForebayException {
  private static final long serialVersionUID = 1;

  private final String path;
  private final Ledger.State state;
  private final String lastError;
  private final long files;

  /**
   * Tells of one file, and how many there are.
   *
   * @param entry the one that is told of: one that failed if there is any
   * @param trouble why nothing is drained, if so
   * @param hopeless whether waiting longer would change nothing
   */
  NotDurableException(
      String path,
      Ledger.Entry entry,
      String trouble,
      long files,
      Duration waited,
      boolean hopeless) {
    super(
        ErrorCode.UNAVAILABLE,
        sentence(path, entry, trouble, files, waited)
            + "; "
            + remedy(
                path, entry, entry.lastError().isEmpty() ? trouble : entry.lastError(), hopeless));
    this.path = path;
    this.state = entry.state();
    this.lastError = entry.lastError().isEmpty() ? trouble : entry.lastError();
    this.files = files;
  }

  private static String sentence(
      String path, Ledger.Entry entry, String trouble, long files, Duration waited) {
    String error = entry.lastError().isEmpty() ? trouble : entry.lastError();
    StringBuilder text = new StringBuilder();
    text.append("'%s' is not durable after %.1f s: ".formatted(path, waited.toNanos() / 1e9));
    text.append(
        switch (entry.state()) {
          case BUFFERED -> "it is in the buffer only";
          case WAITING -> "it waits to be drained";
          case DRAINING, NAMING -> "it is being drained";
          case DURABLE -> "it has been written to since";
          case CHANGED -> "somebody else changed it in the backing store";
        });
    if (entry.attempts() > 1) text.append(", attempt ").append(entry.attempts());
    if (!error.isEmpty()) text.append(", last error: ").append(error);
    if (files > 1) text.append("; so it is with ").append(files - 1).append(" more");
    return text.toString();
  }

  private static String remedy(String path, Ledger.Entry entry, String error, boolean hopeless) {
    boolean unasked = entry.state() == Ledger.State.BUFFERED;
    if (unasked && hopeless) {
      return "the instance drains nothing by itself: ask for it with 'forebay drain " + path + "'";
    }
    if (!error.isEmpty()) {
      return hopeless
          ? "nothing comes of waiting until that is mended; then it goes on by itself"
          : "once that is mended it goes on by itself";
    }
    if (unasked) return "ask for it with 'forebay drain " + path + "'";
    return "wait longer, and look at 'forebay ledger'";
  }

  /** A file that is not durable. */
  public String path() {
    return path;
  }

  /** How far it is. */
  public Ledger.State state() {
    return state;
  }

  /** Why it was not drained the last time it was tried; empty if nothing is known. */
  public String lastError() {
    return lastError;
  }

  /** How many files are not durable. */
  public long files() {
    return files;
  }
}
