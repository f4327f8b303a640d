// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS connections between managers that exist, and what their peers have shown. The engine of
 * the group owns their sockets and asks about certificates at handshakes only, so a connection ends
 * here at the layer of TLS: nothing that arrives is read any more, and nothing is sent. Any thread.
 */
final class ShownChains {
  private static final Logger LOG = LoggerFactory.getLogger(ShownChains.class);
  private static final int HEX = 16;

  /** Connections that are over are forgotten with their engine. */
  private final Map<SSLEngine, X509Certificate[]> open = new WeakHashMap<>();

  /** A peer has shown a chain that is accepted. */
  synchronized void shown(SSLEngine engine, X509Certificate[] chain) {
    open.put(engine, chain.clone());
  }

  /** Ends the connections in whose chains a certificate is refused, by its number in hex digits. */
  void closeIf(Predicate<String> refused) {
    for (SSLEngine engine : withChain(refused)) {
      LOG.info("a connection of a manager whose certificate is revoked is closed");
      try {
        engine.closeInbound();
      } catch (SSLException e) {
        LOG.debug("the peer has not closed it before: {}", e.getMessage());
      }
      engine.closeOutbound();
    }
  }

  /** Whether a certificate of a chain is one of these, by its number in hex digits. */
  static boolean isIn(X509Certificate[] chain, Predicate<String> refused) {
    return Arrays.stream(chain)
        .map(certificate -> certificate.getSerialNumber().toString(HEX))
        .anyMatch(refused);
  }

  private synchronized List<SSLEngine> withChain(Predicate<String> refused) {
    List<SSLEngine> found = new ArrayList<>();
    open.forEach(
        (engine, chain) -> {
          if (isIn(chain, refused)) found.add(engine);
        });
    open.keySet().removeAll(found);
    return found;
  }
}
