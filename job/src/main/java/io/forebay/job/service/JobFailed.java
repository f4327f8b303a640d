// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

/** A request of a batch system that cannot be done. The message is one sentence for the user. */
public final class JobFailed extends Exception {
  private static final long serialVersionUID = 1;

  public JobFailed(String sentence) {
    super(sentence);
  }

  public JobFailed(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /** The message, which is never null. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
