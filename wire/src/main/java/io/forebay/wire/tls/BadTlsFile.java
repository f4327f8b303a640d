// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.io.IOException;

/** A file with keys or certificates is missing or cannot be used; the message has the remedy. */
public final class BadTlsFile extends IOException {
  private static final long serialVersionUID = 1;

  public BadTlsFile(String message) {
    super(message);
  }

  BadTlsFile(String message, Throwable cause) {
    super(message, cause);
  }
}
