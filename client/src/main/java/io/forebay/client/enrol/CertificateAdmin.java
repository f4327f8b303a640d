// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import io.forebay.base.Bytes;
import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.Replies;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An administrator's connection to the manager that has the cluster's own CA. It works before there
 * is a ring. One thread.
 */
public final class CertificateAdmin implements AutoCloseable {
  /** A new token, and when it expires by the manager's clock. */
  public record Made(JoinToken token, Instant expiry) {}

  private static final int PAGE = 500;

  private final SecureRandom random = new SecureRandom();
  private final ManagerLine line;

  private CertificateAdmin(ManagerLine line) {
    this.line = line;
  }

  /** The connection is made with the first request. */
  public static CertificateAdmin of(List<Address> managers, TlsSettings administrator)
      throws IOException {
    TlsFiles tls = TlsFiles.open(administrator, MonotonicClock.system());
    return new CertificateAdmin(new ManagerLine(managers, tls));
  }

  /**
   * Makes a token. Its secret is drawn here; the manager learns only its hash.
   *
   * @param name the only name for which it is good; empty for any
   * @param uses how many certificates it is good for
   */
  public Made createToken(Role role, String name, Duration ttl, int uses) throws IOException {
    byte[] secret = new byte[JoinToken.SECRET_BYTES];
    random.nextBytes(secret);
    Enrolment.TokenMade made =
        line.ask(
            new Enrolment.CreateToken(JoinToken.sha256(secret), role, name, ttl.toSeconds(), uses),
            Enrolment.TokenMade.class);
    return new Made(
        new JoinToken(made.authority(), Bytes.copyOf(secret)),
        Instant.ofEpochSecond(made.expirySeconds()));
  }

  /**
   * Lists certificates of this machine that its manager's CA has made, so that they can be revoked.
   */
  public void enter(List<Enrolment.OwnCertificate> certificates) throws IOException {
    line.ask(new Enrolment.EnterCertificates(certificates), Replies.Done.class);
  }

  /** All certificates that have not expired, in the order of their numbers. */
  public List<Enrolment.Certificate> certificates() throws IOException {
    List<Enrolment.Certificate> all = new ArrayList<>();
    long after = 0;
    while (true) {
      Enrolment.CertificatesAre page =
          line.ask(new Enrolment.ListCertificates(after, PAGE), Enrolment.CertificatesAre.class);
      all.addAll(page.certificates());
      if (!page.more() || all.isEmpty()) return all;
      after = all.get(all.size() - 1).serial();
    }
  }

  /** Revokes the certificate with that number; returns how many were valid before. */
  public int revoke(long serial) throws IOException {
    return line.ask(new Enrolment.Revoke(serial, "", List.of()), Enrolment.Revoked.class).count();
  }

  /** Revokes all certificates of that name, in these roles; in all roles if there are none. */
  public int revoke(String name, Role... roles) throws IOException {
    Enrolment.Revoke revoke = new Enrolment.Revoke(0, name, List.of(roles));
    return line.ask(revoke, Enrolment.Revoked.class).count();
  }

  @Override
  public void close() {
    line.close();
  }
}
