// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Handler;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.tls.TlsFailure;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;

/** Why connections end, as messages for users. */
final class Reasons {
  /** What a listener with TLS answers to a peer without. */
  static final String TLS_ONLY =
      "this port takes TLS only; a client needs FOREBAY_TOKEN, or FOREBAY_TLS_CERTIFICATE,"
          + " FOREBAY_TLS_KEY and FOREBAY_TLS_CA; a server needs token, or tls-certificate, tls-key"
          + " and tls-ca";

  private Reasons() {}

  static String notConnected(String remote, IOException cause) {
    if (cause instanceof NoRouteToHostException) {
      return "cannot connect to " + remote + ": there is no way to that host";
    }
    String detail = detail(cause);
    if (cause instanceof ConnectException && detail.contains("refused")) {
      return "cannot connect to " + remote + ": " + Handler.NO_LISTENER;
    }
    return "cannot connect to " + remote + ": " + detail;
  }

  /** Whether it is of little use to try again soon. */
  static boolean nobodyThere(IOException cause) {
    // For a missing Unix socket the JDK has only a text.
    return cause instanceof ConnectException
        || cause instanceof NoRouteToHostException
        || detail(cause).contains("No such file or directory");
  }

  static String unknownHost(String remote, String host) {
    return "cannot connect to " + remote + ": no host is called '" + host + "' (unknown host)";
  }

  static String somethingElse(String remote, String sent) {
    return "cannot connect to " + remote + ": something else listens there (it sent " + sent + ")";
  }

  /** The start of TLS failed on the end that dialled. */
  static String notSecured(String remote, TlsFailure failure) {
    boolean plain = failure.kind() == TlsFailure.Kind.NOT_TLS;
    return "cannot connect to "
        + remote
        + ": "
        + failure.getMessage()
        + (plain ? "; unset the TLS settings here, or give it a certificate" : "");
  }

  /** What the sender of a malformed frame is told. */
  static String malformed(MalformedFrame frame) {
    String remedy =
        switch (frame.kind()) {
          case FOREIGN -> "; this port speaks Forebay's own protocol";
          case TLS -> "; this port has no certificate: dial it without TLS, or configure it there";
          default -> "";
        };
    return "you sent " + frame.what() + remedy;
  }

  static String endedByPeer(String remote, boolean partial) {
    return remote + " closed the connection" + (partial ? " in the middle of a message" : "");
  }

  static String broken(String remote, IOException cause) {
    return "the connection to " + remote + " broke: " + detail(cause);
  }

  private static String detail(IOException cause) {
    if (cause instanceof ClosedChannelException) return "it is closed";
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
