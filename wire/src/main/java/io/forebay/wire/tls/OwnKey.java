// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The one key and certificate of a process. It is shown whatever CAs the peer asks for: a peer that
 * does not accept it says why, which it could not about a certificate that it never saw. Immutable;
 * any thread.
 */
final class OwnKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "own";

  private final PrivateKey key;
  private final X509Certificate[] chain;

  OwnKey(PrivateKey key, X509Certificate[] chain) {
    this.key = key;
    this.chain = chain.clone();
  }

  /** The certificate of the key. */
  X509Certificate certificate() {
    return chain[0];
  }

  private @Nullable String choose(String... keyTypes) {
    return Arrays.asList(keyTypes).contains(key.getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(keyType);
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.clone();
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }
}
