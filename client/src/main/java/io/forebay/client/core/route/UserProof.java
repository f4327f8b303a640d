// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import java.util.function.Consumer;

/** How the manager knows the user of a client. */
public sealed interface UserProof {
  /** By the connection itself: the client says for which user it asks. */
  record Claimed() implements UserProof {}

  /** By the certificate of the client: the manager tells the user and the groups. */
  record Certified() implements UserProof {}

  /** By a credential for each connection: the manager tells the user and the groups. */
  record ByCredential(Maker maker) implements UserProof {}

  /** Makes credentials. */
  interface Maker {
    /** Makes one with that content; the answer comes later, on the loop of the client. */
    void make(String content, Consumer<Made> answer);
  }

  /** What a maker answers. */
  sealed interface Made {
    record Credential(String text) implements Made {}

    /** There is none; the sentence says why. */
    record Failed(String sentence) implements Made {}
  }
}
