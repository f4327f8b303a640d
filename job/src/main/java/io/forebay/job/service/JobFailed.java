// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

/** A request of a batch system that cannot be done. The message is one sentence for the user. */
public final class JobFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean absence;

  public JobFailed(String sentence) {
    super(sentence);
    this.absence = false;
  }

  public JobFailed(String sentence, Throwable cause) {
    this(sentence, cause, false);
  }

  private JobFailed(String sentence, Throwable cause, boolean absence) {
    super(sentence, cause);
    this.absence = absence;
  }

  /** The manager or servers did not answer; the same request may succeed later. */
  public static JobFailed byAbsence(String sentence, Throwable cause) {
    return new JobFailed(sentence, cause, true);
  }

  /** Whether the manager or servers did not answer. */
  boolean isAbsence() {
    return absence;
  }

  /** The message, which is never null. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
