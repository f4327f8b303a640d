// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.library;

import java.io.IOException;

/** Mounting is impossible here; the message is a sentence with the reason and the remedy. */
public final class FuseUnavailable extends IOException {
  private static final long serialVersionUID = 1;

  public FuseUnavailable(String sentence) {
    super(sentence);
  }

  public FuseUnavailable(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
