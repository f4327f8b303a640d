// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import java.io.IOException;

/** A file that cannot be staged; the message is a sentence with the remedy, for the requester. */
final class StageRefused extends IOException {
  private static final long serialVersionUID = 1;

  StageRefused(String sentence) {
    super(sentence);
  }

  /** The sentence. */
  String sentence() {
    return String.valueOf(getMessage());
  }
}
