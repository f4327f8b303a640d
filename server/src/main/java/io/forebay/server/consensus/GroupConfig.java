// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.wire.Address;
import java.nio.file.Path;
import java.util.UUID;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A node of a group of managers.
 *
 * @param cluster the same for all managers of a cluster, and for no other
 * @param directory for this node alone
 * @param name what operators call it
 * @param addresses where it is reached
 * @param tls null for no TLS: every program that reaches the node could write the log then
 */
public record GroupConfig(
    UUID cluster, Path directory, String name, Addresses addresses, @Nullable Tls tls) {
  /**
   * The addresses of a node.
   *
   * @param peer where it listens for the other managers
   * @param client where clients and seats reach the manager
   */
  public record Addresses(Address.Inet peer, String client) {}

  /**
   * How nodes authenticate each other. Both may change what they answer while the node runs. The
   * trust manager must accept managers only, since a peer can write the log.
   */
  public record Tls(X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {}
}
