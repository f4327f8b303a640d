// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.seat.manager.state.CertificateBook;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Access;
import java.util.List;

/**
 * Tells the manager's peers what not to trust: that the network is open, which certificates and
 * servers are revoked. Strangers are told nothing; neither is anyone while there is nothing to
 * tell.
 */
public final class TrustNotices {
  private static final Access.TrustIs NOTHING = new Access.TrustIs(false, List.of(), List.of());

  private final boolean open;
  private final Callers callers;
  private final CertificateBook book;
  private Access.TrustIs newest;

  /**
   * Tells nothing yet.
   *
   * @param open whether the manager believes every program that reaches it
   */
  public TrustNotices(boolean open, Callers callers, CertificateBook book) {
    this.open = open;
    this.callers = callers;
    this.book = book;
    this.newest = now();
  }

  /** Whether the manager believes every program that reaches it. */
  public boolean isOpen() {
    return open;
  }

  private Access.TrustIs now() {
    return new Access.TrustIs(open, book.revoked(), book.revokedServers());
  }

  /** A peer has connected, and the callers know what it is. */
  public void opened(Connection connection) {
    if (!newest.equals(NOTHING) && callers.seesMaps(connection)) connection.send(0, newest);
  }

  /** The committed state has changed. */
  public void changed() {
    Access.TrustIs now = now();
    if (now.equals(newest)) return;
    newest = now;
    for (Connection connection : callers.connections()) {
      if (callers.seesMaps(connection)) connection.send(0, now);
    }
  }
}
