// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

/**
 * An invalid setting. The message names the place, the key, the value and the allowed values, in
 * one sentence that begins in lower case and has no final full stop.
 */
public final class BadSetting extends Exception {
  private static final long serialVersionUID = 1;

  public BadSetting(String sentence) {
    super(sentence);
  }

  /** The whole message, as shown to users. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
