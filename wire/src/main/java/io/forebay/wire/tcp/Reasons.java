// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;

/** Why connections end, as messages for users. */
final class Reasons {
  private Reasons() {}

  static String notConnected(String remote, IOException cause) {
    if (cause instanceof NoRouteToHostException) {
      return "cannot connect to " + remote + ": there is no way to that host";
    }
    String detail = detail(cause);
    if (cause instanceof ConnectException && detail.contains("refused")) {
      return "cannot connect to " + remote + ": no process listens there (connection refused)";
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
