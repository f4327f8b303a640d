// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

/** A directive that cannot be used. The message is one sentence for the user who wrote it. */
public final class BadDirective extends Exception {
  private static final long serialVersionUID = 1;

  private final int line;

  BadDirective(int line, String sentence) {
    super("line " + line + ": " + sentence);
    this.line = line;
  }

  /** The line of the script, from 1. */
  public int line() {
    return line;
  }

  /** The message, which is never null. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
