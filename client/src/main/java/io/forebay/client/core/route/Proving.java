// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import org.jspecify.annotations.Nullable;

/** Proves the client's user to the other ends of its links. */
interface Proving {
  /** Has nothing to show: what the connection itself proves must do. */
  Proving NONE =
      new Proving() {
        @Override
        public @Nullable Message introduction() {
          return null;
        }

        @Override
        public void renew(@Nullable Message shown, Replies.Failed refusal, Renewal renewal) {
          renewal.refused(refusal);
        }
      };

  /** Told the result. Exactly one of these is called, at once or later. */
  interface Renewal {
    /** This is to be shown, and then the request is sent again. */
    void introduces(Message introduction);

    /** There is no proof: the request has failed. */
    void refused(Replies.Failed failed);

    /** There is no proof now. */
    void later(String why);
  }

  /** What is sent first on a new connection; null for nothing. */
  @Nullable Message introduction();

  /**
   * The other end wants a better proof.
   *
   * @param shown what was sent to it; null for nothing
   * @param refusal its answer
   */
  void renew(@Nullable Message shown, Replies.Failed refusal, Renewal renewal);
}
