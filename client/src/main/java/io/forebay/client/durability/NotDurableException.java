// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

import io.forebay.client.failure.ForebayException;
import io.forebay.wire.message.ErrorCode;
import java.time.Duration;

/** A file is not in the backing store yet. It is safe in the buffer nevertheless. */
public class NotDurableException extends ForebayException {
  private static final long serialVersionUID = 1;

  private final String path;
  private final Ledger.State state;
  private final String lastError;
  private final long files;

  /**
   * One file that is not durable, and how many there are.
   *
   * @param entry the reported file: one that failed, if there is one
   * @param trouble why nothing is drained, if so
   * @param hopeless whether waiting longer would change nothing
   */
  record Late(
      String path,
      Ledger.Entry entry,
      String trouble,
      long files,
      Duration waited,
      boolean hopeless) {
    String error() {
      return entry.lastError().isEmpty() ? trouble : entry.lastError();
    }
  }

  NotDurableException(Late late) {
    super(ErrorCode.UNAVAILABLE, sentence(late) + "; " + remedy(late));
    this.path = late.path();
    this.state = late.entry().state();
    this.lastError = late.error();
    this.files = late.files();
  }

  private static String sentence(Late late) {
    Ledger.Entry entry = late.entry();
    String error = late.error();
    long files = late.files();
    StringBuilder text = new StringBuilder();
    double seconds = late.waited().toNanos() / 1e9;
    text.append("'%s' is not durable after %.1f s: ".formatted(late.path(), seconds));
    text.append(
        switch (entry.state()) {
          case BUFFERED -> "it is in the buffer only";
          case WAITING -> "it waits to be drained";
          case DRAINING, NAMING -> "it is being drained";
          case DURABLE -> "it has been written to since";
          case CHANGED -> "another program changed it in the backing store";
        });
    if (entry.attempts() > 1) text.append(", attempt ").append(entry.attempts());
    if (!error.isEmpty()) text.append(", last error: ").append(error);
    if (files > 1) text.append("; so it is with ").append(files - 1).append(" more");
    return text.toString();
  }

  private static String remedy(Late late) {
    boolean unasked = late.entry().state() == Ledger.State.BUFFERED;
    String ask = "ask for it with 'forebay drain " + late.path() + "'";
    if (unasked && late.hopeless()) return "the instance drains nothing by itself: " + ask;
    if (!late.error().isEmpty()) {
      return late.hopeless()
          ? "waiting does not help until that is repaired; then it continues"
          : "once that is repaired it continues";
    }
    if (unasked) return ask;
    return "wait longer, and look at 'forebay ledger'";
  }

  /** A file that is not durable. */
  public String path() {
    return path;
  }

  /** Its drain state. */
  public Ledger.State state() {
    return state;
  }

  /** Why the last drain of the file failed; empty if unknown. */
  public String lastError() {
    return lastError;
  }

  /** How many files are not durable. */
  public long files() {
    return files;
  }
}
