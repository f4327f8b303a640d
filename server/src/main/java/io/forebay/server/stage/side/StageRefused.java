// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import java.io.IOException;

/** A file that cannot be staged; the message is a sentence with the remedy, for the requester. */
public final class StageRefused extends IOException {
  private static final long serialVersionUID = 1;

  public StageRefused(String sentence) {
    super(sentence);
  }

  /** The sentence. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
