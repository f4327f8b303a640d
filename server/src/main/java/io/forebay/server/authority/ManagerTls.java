// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.server.consensus.GroupConfig;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsIdentity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS between managers: what {@link TlsFiles} has at the time of each handshake. A peer must be a
 * manager by its certificate, since it can write the log. Connections end when a certificate that
 * opened them is revoked. Any thread.
 */
public final class ManagerTls {
  private ManagerTls() {}

  /** Of a process that shows a certificate; it follows the files. */
  public static GroupConfig.Tls of(TlsFiles files) {
    if (files.identity().keys() == null) {
      throw new IllegalArgumentException("a manager shows a certificate");
    }
    return new GroupConfig.Tls(new Keys(files), new Managers(files));
  }

  /** The key and certificate that are in use. */
  private static final class Keys extends X509ExtendedKeyManager {
    /** Handshakes that began before the files changed: each asks by its alias three times. */
    private static final int KEPT_MAX = 4;

    private record Named(String alias, X509ExtendedKeyManager keys) {}

    private final TlsFiles files;
    private final Deque<Named> kept = new ArrayDeque<>();
    private long changes;

    Keys(TlsFiles files) {
      this.files = files;
    }

    /** The newest one, under a name of its own. */
    private synchronized Named newest() {
      X509ExtendedKeyManager keys = files.identity().keys();
      Named last = kept.peekLast();
      if (keys == null || (last != null && last.keys.equals(keys))) {
        if (last == null) throw new IllegalStateException("there is no certificate");
        return last;
      }
      Named made = new Named("manager-" + ++changes, keys);
      kept.addLast(made);
      if (kept.size() > KEPT_MAX) kept.removeFirst();
      return made;
    }

    private synchronized Named named(String alias) {
      for (Named each : kept) {
        if (each.alias.equals(alias)) return each;
      }
      return newest();
    }

    private static @Nullable String aliasIf(@Nullable String suitable, Named named) {
      return suitable == null ? null : named.alias;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      Named named = newest();
      return aliasIf(named.keys.chooseEngineClientAlias(keyTypes, issuers, engine), named);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      Named named = newest();
      return aliasIf(named.keys.chooseEngineServerAlias(keyType, issuers, engine), named);
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      Named named = newest();
      return aliasIf(named.keys.chooseClientAlias(keyTypes, issuers, socket), named);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      Named named = newest();
      return aliasIf(named.keys.chooseServerAlias(keyType, issuers, socket), named);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {newest().alias};
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {newest().alias};
    }

    // The process has one key, which any alias names.
    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return named(alias).keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return named(alias).keys.getPrivateKey(alias);
    }
  }

  /** Accepts what the process accepts, if it is a manager. */
  private static final class Managers extends X509ExtendedTrustManager {
    private final TlsFiles files;
    private final ShownChains shown = new ShownChains();

    Managers(TlsFiles files) {
      this.files = files;
      files.revoked().whenSet(() -> shown.closeIf(files.revoked()::contains));
    }

    private void accepted(@Nullable SSLEngine engine, X509Certificate[] chain)
        throws CertificateException {
      if (engine != null) shown.shown(engine, chain);
      // It may have been revoked between the check and this.
      if (ShownChains.isIn(chain, files.revoked()::contains)) {
        throw new CertificateException("its certificate is revoked");
      }
    }

    private static void requireManager(X509Certificate[] chain) throws CertificateException {
      CertificateName name = CertificateName.of(Certificates.names(chain[0]));
      if (name != null && name.role() == Role.MANAGER) return;
      throw new CertificateException(
          "the certificate of %s is not that of a manager"
              .formatted(name == null ? "a peer that names no role" : name));
    }

    /** The name that sites may give all their managers and servers, in place of their hosts. */
    private static void requireName(X509Certificate certificate, String name)
        throws CertificateException {
      if (Certificates.names(certificate).stream().anyMatch(name::equalsIgnoreCase)) return;
      throw new CertificateException("its certificate is not for '" + name + "'");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      files.identity().trust().checkClientTrusted(chain, type, engine);
      requireManager(chain);
      accepted(engine, chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      TlsIdentity identity = files.identity();
      String name = identity.peerName();
      if (name == null) {
        identity.trust().checkServerTrusted(chain, type, engine);
      } else {
        identity.trust().checkServerTrusted(chain, type);
        requireName(chain[0], name);
      }
      requireManager(chain);
      accepted(engine, chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      files.identity().trust().checkClientTrusted(chain, type, socket);
      requireManager(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      TlsIdentity identity = files.identity();
      String name = identity.peerName();
      if (name == null) {
        identity.trust().checkServerTrusted(chain, type, socket);
      } else {
        identity.trust().checkServerTrusted(chain, type);
        requireName(chain[0], name);
      }
      requireManager(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      files.identity().trust().checkClientTrusted(chain, type);
      requireManager(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      TlsIdentity identity = files.identity();
      identity.trust().checkServerTrusted(chain, type);
      String name = identity.peerName();
      if (name != null) requireName(chain[0], name);
      requireManager(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return files.identity().trust().getAcceptedIssuers();
    }
  }
}
