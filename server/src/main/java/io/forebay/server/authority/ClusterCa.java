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
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * A CA in a directory of its own: EC P-256. Its key is read by this process alone and never sent.
 * It is the root, made when the directory has none; or the CA of a further manager, which another
 * CA of the cluster has signed. Any thread.
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

  /** From that of this CA up to, not including, the root; empty if this is the root. */
  private final List<X509Certificate> chain;

  private final X509Certificate root;
  private final InstantSource clock;

  private ClusterCa(
      CertificateMaker maker,
      CertificateMaker.Authority authority,
      List<X509Certificate> chain,
      X509Certificate root,
      InstantSource clock) {
    this.maker = maker;
    this.authority = authority;
    this.chain = List.copyOf(chain);
    this.root = root;
    this.clock = clock;
  }

  /** Opens the CA in a directory, or makes a root there. */
  public static ClusterCa open(Path directory, CertificateMaker maker, InstantSource clock)
      throws IOException {
    IdentityFiles files = new IdentityFiles(directory);
    if (files.areAbsent()) make(files, maker, clock);
    List<X509Certificate> chain = files.chain();
    X509Certificate root = files.authority();
    X509Certificate certificate = chain.get(0);
    PrivateKey key = files.key();
    if (!HolderKey.isPair(key, certificate.getPublicKey())) {
      throw new IOException(
          "the key of the CA in '" + directory + "' is not that of its certificate; restore both");
    }
    boolean isRoot = certificate.equals(root);
    if (!isRoot) requireChain(directory, chain, root);
    return new ClusterCa(
        maker,
        new CertificateMaker.Authority(certificate, key),
        isRoot ? List.of() : chain,
        root,
        clock);
  }

  private static void requireChain(
      Path directory, List<X509Certificate> chain, X509Certificate root) throws IOException {
    try {
      Certificates.verify(chain, root);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "the CA in '%s' is not one of the cluster whose root is beside it (%s); restore both"
              .formatted(directory, e.getMessage()),
          e);
    }
    if (!Certificates.isAuthority(chain.get(0))) {
      throw new IOException("the certificate in '" + directory + "' is not that of a CA");
    }
  }

  private static void make(IdentityFiles files, CertificateMaker maker, InstantSource clock)
      throws IOException {
    try {
      KeyPair key = HolderKey.make();
      X509Certificate certificate =
          maker.makeAuthority(
              key, NAME, validity(clock, newSerial(), clock.instant().plus(OWN_LIFETIME)));
      files.write(key.getPrivate(), List.of(certificate), certificate);
    } catch (GeneralSecurityException e) {
      throw new IOException("the CA in '" + files.directory() + "' cannot be made", e);
    }
  }

  private static CertificateMaker.Validity validity(
      InstantSource clock, long serial, Instant until) {
    Instant now = clock.instant();
    Duration tenth = Duration.between(now, until).dividedBy(10);
    Duration before = tenth.compareTo(SKEW) < 0 ? tenth : SKEW;
    return new CertificateMaker.Validity(serial, now.minus(before), until);
  }

  /** The certificate by which it signs. */
  public X509Certificate certificate() {
    return authority.certificate();
  }

  /** The certificate that all processes of the cluster accept. */
  public X509Certificate root() {
    return root;
  }

  /** From that of this CA up to, not including, the root; empty if this is the root. */
  List<X509Certificate> chain() {
    return chain;
  }

  /** A certificate that this CA has signed, and those of the CAs between it and the root. */
  public List<X509Certificate> chainOf(X509Certificate signed) {
    List<X509Certificate> all = new ArrayList<>(List.of(signed));
    all.addAll(chain);
    return all;
  }

  /** What tokens carry: the hash of the root. */
  public Bytes hash() {
    try {
      return JoinToken.sha256(root.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A certificate with that number, valid from now on, and not longer than this CA's. */
  public X509Certificate sign(CertificateMaker.Request request, long serial, Duration lifetime)
      throws GeneralSecurityException {
    Instant wanted = clock.instant().plus(lifetime);
    Instant until = wanted.isBefore(end()) ? wanted : end();
    return maker.sign(authority, request, validity(clock, serial, until));
  }

  private Instant end() {
    return certificate().getNotAfter().toInstant();
  }

  /**
   * The certificate of a further CA. It ends with that of this CA, and so with the root: there is
   * no time at which it would have to be renewed alone.
   *
   * @throws GeneralSecurityException that says so if chains would be too long
   */
  public X509Certificate signAuthority(PublicKey key, String manager, long serial)
      throws GeneralSecurityException {
    int allowed = certificate().getBasicConstraints();
    if (allowed < 1) {
      throw new GeneralSecurityException(
          chain.isEmpty()
              ? "the CA of this cluster allows no further managers; make a new CA"
              : "%d CAs stand between the root and this manager's certificates, and no chain has more than %d certificates; let another manager lead, whose CA is nearer to the root, or make a new CA"
                  .formatted(chain.size(), CertificateMaker.CHAIN_CERTIFICATES_MAX));
    }
    // Each has another name, so that no chain can be mistaken for another.
    String name = "Forebay CA %s of %s".formatted(Long.toHexString(serial), manager);
    return maker.signAuthority(authority, key, name, validity(clock, serial, end()));
  }

  /** Whether this CA has issued that certificate, the first of a chain, for just that holder. */
  boolean hasIssued(List<X509Certificate> issued, Holder holder) {
    X509Certificate certificate = issued.get(0);
    if (!issued.equals(chainOf(certificate))) return false;
    try {
      certificate.verify(certificate().getPublicKey());
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
      files.write(key.getPrivate(), chainOf(signed), root);
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
