// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import java.io.IOException;

/** The manager has answered that it does not do what was asked; the message is its sentence. */
public final class RequestRefused extends IOException {
  private static final long serialVersionUID = 1;

  RequestRefused(String sentence) {
    super(sentence);
  }
}
