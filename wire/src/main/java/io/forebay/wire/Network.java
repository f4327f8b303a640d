// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.wire.message.Handshake;
import java.io.IOException;
import java.util.Collection;

/**
 * A loop's access to the network. All callbacks come from the loop, never from within the call that
 * caused them.
 */
public interface Network {
  /** A listener, until it is closed. */
  interface Listener extends AutoCloseable {
    /** The address; a port that was given as 0 has been chosen. */
    Address address();

    @Override
    void close();
  }

  /** Decides which peers may connect. */
  interface Door {
    /** Answers with a welcome or a refusal; the version has been agreed on before. */
    Handshake.Answer answer(Handshake.Hello hello);

    /**
     * A peer that came in has sent bytes that are no message; its connection ends now.
     *
     * @param what what it sent, as in "sent ..."
     */
    default void malformed(Connection from, String what) {}
  }

  /**
   * Dials; the result is {@link Handler#opened}, {@link Handler#closed} or {@link
   * Handler#unreachable}.
   */
  Connection connect(Address to, Handshake.Hello hello, Handler handler);

  /** Listens. Blocks shortly, so it is called before the loop runs. */
  Listener listen(Address at, Door door, Handler handler) throws IOException;

  /**
   * Accepts these certificates no more, and no others: connections of peers that showed them end
   * within two seconds.
   */
  void refuseCertificates(Collection<Long> serials);

  /** How often peers have reached the limits of this loop. */
  LimitCounts limits();
}
