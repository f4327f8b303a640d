// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import io.forebay.wire.tls.TlsSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the processes of a cluster reach each other.
 *
 * @param unixSockets whether through Unix sockets where they can
 * @param tls the certificates of all ends; null for plain connections
 */
public record Transport(boolean unixSockets, @Nullable TlsSettings tls) {
  /** As a cluster on one machine does by default. */
  public static final Transport LOCAL = new Transport(true, null);

  public static final Transport PLAIN_TCP = new Transport(false, null);

  private static final String UNIX = "unix";
  private static final String TCP = "tcp";
  private static final String BETWEEN = ":";

  public static Transport tls(TlsSettings files) {
    return new Transport(false, files);
  }

  static Transport of(String argument) {
    if (argument.equals(UNIX)) return LOCAL;
    if (argument.equals(TCP)) return PLAIN_TCP;
    String[] files = argument.split(BETWEEN, -1);
    return tls(new TlsSettings(Path.of(files[0]), Path.of(files[1]), Path.of(files[2])));
  }

  String toArgument() {
    if (tls == null) return unixSockets ? UNIX : TCP;
    return tls.certificate() + BETWEEN + tls.key() + BETWEEN + tls.ca();
  }
}
