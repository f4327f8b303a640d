// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.library;

import java.io.IOException;

/** There can be no mount here; the message is a sentence that tells why and what to do. */
public final class FuseUnavailable extends IOException {
  private static final long serialVersionUID = 1;

  public FuseUnavailable(String sentence) {
    super(sentence);
  }

  public FuseUnavailable(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
