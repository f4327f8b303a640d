// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import io.forebay.metrics.http.Admission;
import io.forebay.server.authority.ManagerTls;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.TlsFiles;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Who reads metrics over TLS: the holder of a certificate of an administrator, a manager or a
 * server, or of a user that the operator names. The certificates of the process are those of all
 * its connections, and follow their files.
 */
final class MetricsTls {
  /** For sessions that last longer than a ticket may (7 days), the JDK sends no tickets. */
  private static final int NO_TICKETS_SECONDS = (int) TimeUnit.DAYS.toSeconds(8);

  private MetricsTls() {}

  static Admission admission(TlsFiles files, Set<Integer> users) {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(
          new KeyManager[] {ManagerTls.of(files).keys()},
          new TrustManager[] {new Callers(files)},
          null);
      context.getServerSessionContext().setSessionTimeout(NO_TICKETS_SECONDS);
      return new Admission(context, chain -> mayRead(chain, files, users));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asked for each request: a connection may last longer than the certificate is good. */
  private static boolean mayRead(List<X509Certificate> chain, TlsFiles files, Set<Integer> users) {
    X509Certificate certificate = chain.getFirst();
    if (Instant.now().isAfter(certificate.getNotAfter().toInstant())) return false;
    for (X509Certificate each : chain) {
      if (files.revoked().contains(Certificates.serial(each))) return false;
    }
    CertificateName name = CertificateName.of(Certificates.names(certificate));
    return name != null && isReader(name, users);
  }

  static boolean isReader(CertificateName name, Set<Integer> users) {
    return switch (name.role()) {
      case ADMIN, MANAGER, SERVER -> true;
      case AGENT, BATCH -> false;
      case USER -> users.stream().anyMatch(each -> isUser(name, each));
    };
  }

  private static boolean isUser(CertificateName name, int user) {
    return name.name().equals(Integer.toUnsignedString(user));
  }

  /** Accepts the certificates that all connections of the process accept. */
  private static final class Callers extends X509ExtendedTrustManager {
    private final TlsFiles files;

    Callers(TlsFiles files) {
      this.files = files;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      files.identity().trust().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      files.identity().trust().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      files.identity().trust().checkClientTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("this door dials no peers");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("this door dials no peers");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this door dials no peers");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return files.identity().trust().getAcceptedIssuers();
    }
  }
}
