// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

/** A call that a program gets an error number for. The message is a sentence for the log. */
final class CallFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final int number;

  CallFailed(int number, String sentence) {
    super(sentence);
    this.number = number;
  }

  /** One of {@link ErrorNumbers}. */
  int number() {
    return number;
  }
}
