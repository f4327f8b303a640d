// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import io.forebay.wire.authority.CertificateMaker;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs with Bouncy Castle; the arithmetic is that of the JDK. Any thread. */
public final class BouncyCastleMaker implements CertificateMaker {
  private static final String ALGORITHM = "SHA256withECDSA";

  /** RFC 5280, appendix A.1: ub-common-name. */
  private static final int COMMON_NAME_CHARS_MAX = 64;

  private final JcaX509ExtensionUtils extensions;

  /** Fails with a {@link LinkageError} where Bouncy Castle is not on the class path. */
  public BouncyCastleMaker() throws GeneralSecurityException {
    this.extensions = new JcaX509ExtensionUtils();
  }

  @Override
  public X509Certificate makeAuthority(KeyPair key, String name, Validity validity)
      throws GeneralSecurityException {
    X500Name subject = subject(name);
    X509v3CertificateBuilder certificate = builder(subject, subject, key.getPublic(), validity);
    addAuthority(certificate, key.getPublic(), INTERMEDIATES_MAX);
    return signed(certificate, key.getPrivate());
  }

  @Override
  public X509Certificate signAuthority(
      Authority issuer, PublicKey key, String name, Validity validity)
      throws GeneralSecurityException {
    int allowed = issuer.certificate().getBasicConstraints();
    if (allowed < 1) throw new CertificateException("its issuer allows no further CA below it");
    X509v3CertificateBuilder certificate =
        builder(subjectOf(issuer.certificate()), subject(name), key, validity);
    addAuthority(certificate, key, allowed - 1);
    addIssuer(certificate, issuer.certificate());
    return signed(certificate, issuer.key());
  }

  @Override
  public X509Certificate sign(Authority authority, Request request, Validity validity)
      throws GeneralSecurityException {
    X509Certificate issuer = authority.certificate();
    X509v3CertificateBuilder certificate =
        builder(subjectOf(issuer), subject(request.name().name()), request.key(), validity);
    try {
      certificate
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(
              Extension.extendedKeyUsage,
              false,
              new ExtendedKeyUsage(
                  new KeyPurposeId[] {
                    KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                  }))
          .addExtension(Extension.subjectAlternativeName, false, names(request))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              extensions.createSubjectKeyIdentifier(request.key()));
    } catch (IOException e) {
      throw new CertificateException(e);
    }
    addIssuer(certificate, issuer);
    return signed(certificate, authority.key());
  }

  private static X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Validity validity) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        BigInteger.valueOf(validity.serial()),
        Date.from(validity.from()),
        Date.from(validity.until()),
        subject,
        key);
  }

  /** It signs certificates, and is not that of a process. */
  private void addAuthority(X509v3CertificateBuilder certificate, PublicKey key, int further)
      throws CertificateException {
    try {
      certificate
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(further))
          .addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
          .addExtension(
              Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(key));
    } catch (IOException e) {
      throw new CertificateException(e);
    }
  }

  private void addIssuer(X509v3CertificateBuilder certificate, X509Certificate issuer)
      throws CertificateException {
    try {
      certificate.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(issuer.getPublicKey()));
    } catch (IOException e) {
      throw new CertificateException(e);
    }
  }

  private static X500Name subjectOf(X509Certificate certificate) {
    return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
  }

  private static X500Name subject(String name) {
    String shown = name.substring(0, Math.min(name.length(), COMMON_NAME_CHARS_MAX));
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, shown).build();
  }

  private static GeneralNames names(Request request) {
    List<GeneralName> names = new ArrayList<>();
    names.add(new GeneralName(GeneralName.uniformResourceIdentifier, request.name().uri()));
    for (String host : request.hosts()) {
      names.add(
          new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host));
    }
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }

  /** No DNS name has a colon, or ends with a number. */
  private static boolean isAddress(String host) {
    return host.contains(":") || host.matches("[0-9]+(\\.[0-9]+){3}");
  }

  private static X509Certificate signed(X509v3CertificateBuilder certificate, PrivateKey key)
      throws GeneralSecurityException {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(certificate.build(new JcaContentSignerBuilder(ALGORITHM).build(key)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }
}
