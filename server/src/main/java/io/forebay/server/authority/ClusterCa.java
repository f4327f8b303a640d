// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.base.Bytes;
import io.forebay.client.host.OwnHosts;
import io.forebay.wire.authority.CertificateMaker;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.HolderKey;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.tls.Certificates;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * A CA in a directory of its own: EC P-256, made when the directory has none. Its key is read by
 * this process alone and never sent. Any thread.
 */
public final class ClusterCa {
  /** How long the certificates of processes are valid. */
  public static final Duration LIFETIME = Duration.ofDays(90);

  private static final Duration OWN_LIFETIME = Duration.ofDays(3653);

  /** The clocks of two machines may differ by this much. */
  private static final Duration SKEW = Duration.ofMinutes(10);

  private static final String NAME = "Forebay cluster CA";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final CertificateMaker maker;
  private final CertificateMaker.Authority authority;
  private final InstantSource clock;

  private ClusterCa(
      CertificateMaker maker, CertificateMaker.Authority authority, InstantSource clock) {
    this.maker = maker;
    this.authority = authority;
    this.clock = clock;
  }

  /** Opens the CA in a directory, or makes it there. */
  public static ClusterCa open(Path directory, CertificateMaker maker, InstantSource clock)
      throws IOException {
    IdentityFiles files = new IdentityFiles(directory);
    if (files.areAbsent()) make(files, maker, clock);
    X509Certificate certificate = files.certificate();
    PrivateKey key = files.key();
    if (!HolderKey.isPair(key, certificate.getPublicKey())) {
      throw new IOException(
          "the key of the CA in '" + directory + "' is not that of its certificate; restore both");
    }
    return new ClusterCa(maker, new CertificateMaker.Authority(certificate, key), clock);
  }

  private static void make(IdentityFiles files, CertificateMaker maker, InstantSource clock)
      throws IOException {
    try {
      KeyPair key = HolderKey.make();
      X509Certificate certificate =
          maker.makeAuthority(key, NAME, validity(clock, newSerial(), OWN_LIFETIME));
      files.write(key.getPrivate(), certificate, certificate);
    } catch (GeneralSecurityException e) {
      throw new IOException("the CA in '" + files.directory() + "' cannot be made", e);
    }
  }

  private static CertificateMaker.Validity validity(
      InstantSource clock, long serial, Duration lifetime) {
    Instant now = clock.instant();
    Duration tenth = lifetime.dividedBy(10);
    Duration before = tenth.compareTo(SKEW) < 0 ? tenth : SKEW;
    return new CertificateMaker.Validity(serial, now.minus(before), now.plus(lifetime));
  }

  public X509Certificate certificate() {
    return authority.certificate();
  }

  /** What tokens carry. */
  public Bytes hash() {
    try {
      return JoinToken.sha256(certificate().getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A certificate with that number, valid from now on. */
  public X509Certificate sign(CertificateMaker.Request request, long serial, Duration lifetime)
      throws GeneralSecurityException {
    return maker.sign(authority, request, validity(clock, serial, lifetime));
  }

  /** Whether this CA has issued a certificate for just that holder. */
  boolean hasIssued(X509Certificate certificate, Holder holder) {
    try {
      certificate.verify(this.certificate().getPublicKey());
    } catch (GeneralSecurityException e) {
      return false;
    }
    List<String> names = Certificates.names(certificate);
    return holder.name().equals(CertificateName.of(names))
        && OwnHosts.uniform(names).containsAll(OwnHosts.uniform(holder.hosts()));
  }

  /** The number of a certificate of such a CA. */
  static long serial(X509Certificate certificate) {
    return certificate.getSerialNumber().longValueExact();
  }

  /** Makes a key in a directory, with a certificate for it. */
  public X509Certificate issue(IdentityFiles files, Holder holder, Duration lifetime)
      throws IOException {
    try {
      KeyPair key = HolderKey.make();
      CertificateMaker.Request request =
          new CertificateMaker.Request(key.getPublic(), holder.name(), holder.hosts());
      X509Certificate signed = sign(request, newSerial(), lifetime);
      files.write(key.getPrivate(), signed, certificate());
      return signed;
    } catch (GeneralSecurityException e) {
      throw new IOException("a certificate for " + holder.name() + " cannot be made", e);
    }
  }

  /** Above 0, and never the same twice. */
  private static long newSerial() {
    return (RANDOM.nextLong() & Long.MAX_VALUE) | 1;
  }
}
