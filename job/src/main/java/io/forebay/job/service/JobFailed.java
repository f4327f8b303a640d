// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

/** A request of a batch system that cannot be done. The message is one sentence for the user. */
public final class JobFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean passes;

  public JobFailed(String sentence) {
    super(sentence);
    this.passes = false;
  }

  public JobFailed(String sentence, Throwable cause) {
    this(sentence, cause, false);
  }

  private JobFailed(String sentence, Throwable cause, boolean passes) {
    super(sentence, cause);
    this.passes = passes;
  }

  /** The same request may succeed later: servers did not answer, or a pool has no room now. */
  public static JobFailed passing(String sentence, Throwable cause) {
    return new JobFailed(sentence, cause, true);
  }

  /** Whether the same request may succeed later. */
  boolean isPassing() {
    return passes;
  }

  /** The message, which is never null. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
