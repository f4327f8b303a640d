// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

/** An address to listen at or to connect to. */
public sealed interface Address {
  int PORT_MAX = 65535;

  /** A TCP port of a host; an IPv6 address stands without brackets. */
  record Inet(String host, int port) implements Address {
    public Inet {
      if (host.isBlank()) throw new IllegalArgumentException("an address without a host");
      if (port < 0 || port > PORT_MAX) {
        throw new IllegalArgumentException("port " + port + " is not between 0 and " + PORT_MAX);
      }
    }

    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** A Unix domain socket of this host. */
  record Unix(String path) implements Address {
    @Override
    public String toString() {
      return "unix:" + path;
    }
  }

  /** Reads {@code host:port}, {@code [v6]:port} or {@code unix:path}. */
  static Address parse(String text) {
    if (text.startsWith("unix:")) return new Unix(text.substring("unix:".length()));
    int colon = text.lastIndexOf(':');
    if (colon <= 0) throw malformed(text);
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) host = host.substring(1, host.length() - 1);
    try {
      return new Inet(host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw malformed(text);
    }
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is not an address: write host:port, such as 127.0.0.1:7070");
  }
}
