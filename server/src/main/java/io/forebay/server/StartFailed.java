// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

/**
 * A process cannot be started as requested. The message names the thing and the remedy, in one
 * sentence that begins in lower case and has no final full stop.
 */
public final class StartFailed extends Exception {
  private static final long serialVersionUID = 1;

  public StartFailed(String sentence) {
    super(sentence);
  }

  public StartFailed(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /** The whole message, as shown to users. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
