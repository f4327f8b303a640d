// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import io.forebay.base.Bytes;
import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateMaker;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.HolderKey;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a certificate for this process; for a manager, that of a CA, by which it signs its own:
 *
 * <ol>
 *   <li>it dials a manager and compares, within the TLS handshake, the SHA-256 of the CA that the
 *       manager shows with the one in the token;
 *   <li>it makes a key, which does not leave this machine;
 *   <li>it sends the token's secret, the public key and a proof of the private one;
 *   <li>it checks the certificate that comes back, and writes the files.
 * </ol>
 *
 * <p>One thread.
 */
public final class Enroller {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Logger LOG = LoggerFactory.getLogger(Enroller.class);

  /** A key with its certificate, as the manager has issued it. */
  private record Made(KeyPair key, List<X509Certificate> chain) {}

  private final List<Address> managers;
  private final IdentityFiles files;

  /**
   * The renewed certificate that could not be written yet. Another one is not asked for: on a full
   * disk, all that the manager issues for one name would be used up.
   */
  private @Nullable Made unwritten;

  public Enroller(List<Address> managers, IdentityFiles files) {
    this.managers = List.copyOf(managers);
    this.files = files;
  }

  /** Whether the files hold a certificate of that name and CA that is valid now. */
  public boolean isEnrolled(@Nullable JoinToken token, CertificateName name) throws IOException {
    if (!files.exist()) return false;
    X509Certificate certificate = files.certificate();
    boolean sameCa =
        token == null || token.authority().equals(JoinToken.sha256(encoded(files.authority())));
    boolean valid = Instant.now().isBefore(certificate.getNotAfter().toInstant());
    return sameCa && valid && name.equals(nameIn(certificate));
  }

  /**
   * Enrols.
   *
   * @param hosts the names and addresses by which others dial this process
   */
  public void enrol(JoinToken token, CertificateName name, List<String> hosts) throws IOException {
    MonotonicClock clock = MonotonicClock.system();
    TlsFiles pinned = TlsFiles.of(TlsIdentity.pinned(token.authority()), clock);
    try (ManagerLine line = new ManagerLine(managers, pinned)) {
      KeyPair key = HolderKey.make();
      Enrolment.Enrolled enrolled =
          line.ask(
              new Enrolment.Enrol(
                  token.secret(),
                  name.role(),
                  name.name(),
                  hosts,
                  HolderKey.encoded(key.getPublic()),
                  HolderKey.prove(key, name)),
              Enrolment.Enrolled.class);
      X509Certificate authority = certificate(enrolled.authority());
      if (!JoinToken.sha256(encoded(authority)).equals(token.authority())) {
        throw new IOException("the manager sent another CA than the token names");
      }
      Made made = new Made(key, chain(enrolled));
      check(made, name, authority);
      files.write(key.getPrivate(), made.chain(), authority);
      files.writeToken(hashOf(token));
    } catch (GeneralSecurityException e) {
      throw new IOException("a certificate for " + name + " could not be made", e);
    }
  }

  /** The same; a manager that cannot be reached is tried again for a minute. */
  public void enrolPatiently(JoinToken token, CertificateName name, List<String> hosts)
      throws IOException {
    Instant end = Instant.now().plus(PATIENCE);
    while (true) {
      try {
        enrol(token, name, hosts);
        return;
      } catch (RequestRefused e) {
        throw e;
      } catch (IOException e) {
        boolean wrongCa = String.valueOf(e.getMessage()).contains("the token was not sent");
        if (wrongCa || Instant.now().isAfter(end)) throw e;
        LOG.info("not enrolled yet: {}", e.getMessage());
        pause();
      }
    }
  }

  /**
   * The same for a process that is enrolled. With another token than before it enrols again, since
   * its certificate may be revoked; if that fails, it keeps its certificate.
   */
  public void enrolAgain(JoinToken token, CertificateName name, List<String> hosts)
      throws IOException {
    if (files.token().equals(hashOf(token))) return;
    try {
      enrolPatiently(token, name, hosts);
    } catch (IOException e) {
      LOG.info("{} keeps its certificate, and does not use the token: {}", name, e.getMessage());
    }
  }

  private static String hashOf(JoinToken token) {
    byte[] hash = JoinToken.sha256(token.secret().toArray()).toArray();
    return HexFormat.of().formatHex(hash);
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.SECONDS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the manager", e);
    }
  }

  /** Gets the next certificate by the present one, with a new key. */
  void renew(ManagerLine line, CertificateName name, List<String> hosts) throws IOException {
    try {
      Made renewed = unwritten;
      if (renewed == null) {
        KeyPair key = HolderKey.make();
        Enrolment.Enrolled enrolled =
            line.ask(
                new Enrolment.Renew(
                    hosts, HolderKey.encoded(key.getPublic()), HolderKey.prove(key, name)),
                Enrolment.Enrolled.class);
        renewed = new Made(key, chain(enrolled));
        check(renewed, name, files.authority());
        unwritten = renewed;
      }
      files.write(renewed.key().getPrivate(), renewed.chain(), files.authority());
      unwritten = null;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate of " + name + " could not be renewed", e);
    }
  }

  /**
   * Replaces the certificate if its last third has begun; while it is valid, failure is no harm.
   */
  public void renewIfDue() throws IOException {
    X509Certificate present = files.certificate();
    CertificateName name = nameIn(present);
    if (name == null || !isDue(present, Instant.now())) return;
    TlsFiles tls = TlsFiles.open(files.settings(), MonotonicClock.system());
    try (ManagerLine line = new ManagerLine(managers, tls)) {
      renew(line, name, List.of());
    }
  }

  private static void check(Made made, CertificateName name, X509Certificate root)
      throws IOException, GeneralSecurityException {
    Certificates.verify(made.chain(), root);
    X509Certificate certificate = made.chain().get(0);
    if (!HolderKey.isPair(made.key().getPrivate(), certificate.getPublicKey())) {
      throw new IOException("the manager signed another key");
    }
    if (Certificates.isAuthority(certificate) != (name.role() == Role.MANAGER)) {
      throw new IOException("the manager sent a certificate of another kind than was asked for");
    }
  }

  private static List<X509Certificate> chain(Enrolment.Enrolled enrolled)
      throws IOException, GeneralSecurityException {
    List<X509Certificate> chain = new ArrayList<>();
    for (Bytes each : enrolled.chain()) chain.add(certificate(each));
    if (chain.isEmpty() || chain.size() >= CertificateMaker.CHAIN_CERTIFICATES_MAX) {
      throw new IOException("the manager sent " + chain.size() + " certificates");
    }
    return chain;
  }

  private static @Nullable CertificateName nameIn(X509Certificate certificate) {
    return CertificateName.of(Certificates.names(certificate));
  }

  /** Whether two thirds of a certificate's lifetime are over now. */
  public static boolean isDue(X509Certificate certificate) {
    return isDue(certificate, Instant.now());
  }

  /** Whether two thirds of its lifetime are over. */
  static boolean isDue(X509Certificate certificate, Instant now) {
    return now.isAfter(dueAt(certificate));
  }

  /** When two thirds of its lifetime are over. */
  public static Instant dueAt(X509Certificate certificate) {
    Instant from = certificate.getNotBefore().toInstant();
    Duration lifetime = Duration.between(from, certificate.getNotAfter().toInstant());
    return from.plus(lifetime.multipliedBy(2).dividedBy(3));
  }

  private static X509Certificate certificate(Bytes encoded) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded.toArray()));
  }

  private static byte[] encoded(X509Certificate certificate) throws IOException {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }
}
