// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.base.Bytes;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What a process proves to its peers, and which peers it believes: a key, its certificate, and the
 * CAs. Immutable; any thread may make engines with it.
 *
 * <p>TLS 1.3 only, the listening end always shows a certificate, and no session is resumed: each
 * connection is verified by the certificates of its time.
 */
public final class TlsIdentity {
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private static final String[] CIPHERS = {
    "TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"
  };

  /**
   * For sessions that last longer than a ticket may (7 days), the JDK sends no tickets and keeps
   * none.
   */
  public static final int NO_TICKETS_SECONDS = 8 * 24 * 60 * 60;

  /** Null for an end that has no files. */
  private final @Nullable TlsSettings settings;

  /** Null for an end that shows no certificate. */
  private final @Nullable OwnKey own;

  private final X509ExtendedTrustManager trust;
  private final SSLContext context;

  private TlsIdentity(
      @Nullable TlsSettings settings, @Nullable OwnKey own, X509ExtendedTrustManager trust)
      throws GeneralSecurityException {
    this.settings = settings;
    this.own = own;
    this.trust = trust;
    this.context = SSLContext.getInstance("TLSv1.3");
    KeyManager[] keys = own == null ? new KeyManager[0] : new KeyManager[] {own};
    context.init(keys, new TrustManager[] {trust}, null);
  }

  /** Reads the files and checks that they can be used. */
  public static TlsIdentity read(TlsSettings settings) throws BadTlsFile {
    return read(settings, new RevokedSerials());
  }

  /** The same; peers with revoked certificates are refused. */
  static TlsIdentity read(TlsSettings settings, RevokedSerials revoked) throws BadTlsFile {
    OwnKey own = settings.own() == null ? null : PemFiles.ownKey(settings.own());
    X509Certificate[] authorities = PemFiles.certificates(settings.ca());
    try {
      PeerCheck check = new PeerCheck(checks(authorities), settings.ca(), revoked);
      TlsIdentity identity = new TlsIdentity(settings, own, check);
      identity.context.getServerSessionContext().setSessionTimeout(NO_TICKETS_SECONDS);
      identity.requireValid();
      return identity;
    } catch (GeneralSecurityException | IOException e) {
      if (e instanceof BadTlsFile bad) throw bad;
      throw new BadTlsFile(
          "%s cannot be used (%s); give other certificates"
              .formatted(described(settings), e.getMessage()),
          e);
    }
  }

  private static String described(TlsSettings settings) {
    TlsSettings.Own own = settings.own();
    String ca = "'" + settings.ca() + "'";
    return own == null ? ca : "'" + own.certificate() + "' and " + ca;
  }

  /**
   * Of an end that has no certificate yet. It dials only managers whose CA has this hash, so that
   * nothing is sent to others.
   *
   * @param authority the SHA-256 of the CA's certificate
   */
  public static TlsIdentity pinned(Bytes authority) {
    try {
      return new TlsIdentity(null, null, new PinnedCheck(authority));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static X509ExtendedTrustManager checks(X509Certificate... authorities)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < authorities.length; i++) {
      store.setCertificateEntry("ca-" + i, authorities[i]);
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager checks) return checks;
    }
    throw new IllegalStateException("this Java verifies no X.509 certificates");
  }

  private void requireValid() throws BadTlsFile {
    TlsSettings.Own files = settings == null ? null : settings.own();
    if (files == null || own == null) return;
    X509Certificate certificate = own.certificate();
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw new BadTlsFile(
          "the certificate in '%s' expired at %s; replace it"
              .formatted(files.certificate(), certificate.getNotAfter().toInstant()),
          e);
    } catch (CertificateNotYetValidException e) {
      throw new BadTlsFile(
          "the certificate in '%s' is not valid before %s; check this machine's clock"
              .formatted(files.certificate(), certificate.getNotBefore().toInstant()),
          e);
    }
  }

  /** Whom its certificate names; null if it names no role. */
  public @Nullable CertificateName name() {
    return own == null ? null : CertificateName.of(Certificates.names(own.certificate()));
  }

  /** Until when its certificate is valid; null if it shows none. */
  public @Nullable Instant expiry() {
    return own == null ? null : own.certificate().getNotAfter().toInstant();
  }

  /** For other users of TLS: its key and certificates; null if it shows none. */
  public @Nullable X509ExtendedKeyManager keys() {
    return own;
  }

  /** For other users of TLS: which peers it accepts. */
  public X509ExtendedTrustManager trust() {
    return trust;
  }

  /** The name that dialled peers must carry; null for the one that was dialled. */
  public @Nullable String peerName() {
    return settings == null ? null : settings.peerName();
  }

  /** An engine for the end that dials, which checks the name of the peer. */
  public SSLEngine dialling(Address.Inet to) throws BadTlsFile {
    // It may have expired since it was read.
    requireValid();
    String name = peerName();
    if (name == null) name = to.host();
    SSLEngine engine = context.createSSLEngine(name, to.port());
    engine.setUseClientMode(true);
    SSLParameters parameters = parameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** An engine for the end that listens. */
  public SSLEngine listening() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = parameters();
    // Users may prove themselves by other means than a certificate; one that is shown must be
    // valid.
    parameters.setWantClientAuth(true);
    engine.setSSLParameters(parameters);
    return engine;
  }

  private static SSLParameters parameters() {
    return new SSLParameters(CIPHERS.clone(), PROTOCOLS.clone());
  }
}
