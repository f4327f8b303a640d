// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.proof;

import java.io.IOException;

/** Makes credentials that prove the user of this process. Any thread that may block. */
@FunctionalInterface
public interface UserCredentials {
  /**
   * A new credential with that content.
   *
   * @throws IOException with a sentence for users if none can be made
   */
  String make(String content) throws IOException;
}
