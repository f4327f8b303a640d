// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

/**
 * Something is set wrongly. The message names where, the key, the value and what is allowed, in one
 * sentence that begins in lower case and has no final full stop.
 */
public final class BadSetting extends Exception {
  private static final long serialVersionUID = 1;

  public BadSetting(String sentence) {
    super(sentence);
  }

  /** The whole of it: what a person is shown. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
