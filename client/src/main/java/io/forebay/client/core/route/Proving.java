// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import org.jspecify.annotations.Nullable;

/** Proves the client's user to the other ends of its links. */
interface Proving {
  /** Has nothing to show: what the connection itself proves must do. */
  Proving NONE =
      new Proving() {
        @Override
        public void introduce(Connection opened, Introduction introduction) {
          introduction.sends(null);
        }

        @Override
        public void renew(@Nullable Message shown, Replies.Failed refusal, Renewal renewal) {
          renewal.refused(refusal);
        }
      };

  /** How a new connection begins. Exactly one of these is called, at once or later. */
  interface Introduction {
    /** This is sent first, and requests behind it; null for nothing. */
    void sends(@Nullable Message introduction);

    /** This is sent first. Requests wait until the other end has taken it. */
    void proves(Message proof);

    /** There is no proof: the requests that wait fail with this. */
    void fails(Replies.Failed refusal);
  }

  /** Told the result. Exactly one of these is called, at once or later. */
  interface Renewal {
    /** This is to be shown, and then the request is sent again. */
    void introduces(Message introduction);

    /** A new connection is made, which begins with a new proof. */
    void reconnects();

    /** There is no proof: the request has failed. */
    void refused(Replies.Failed failed);

    /** There is no proof now. */
    void later(String why);
  }

  /** A connection was made. */
  void introduce(Connection opened, Introduction introduction);

  /** The other end has not taken what {@link Introduction#proves} sent. */
  default void refused(Replies.Failed refusal) {}

  /** The answer to requests for which nothing is to be sent, since a proof has failed; or null. */
  default Replies.@Nullable Failed refusal() {
    return null;
  }

  /**
   * The other end wants a better proof.
   *
   * @param shown what was sent to it; null for nothing
   * @param refusal its answer
   */
  void renew(@Nullable Message shown, Replies.Failed refusal, Renewal renewal);
}
