// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads keys and certificates from PEM files. Stateless. */
final class PemFiles {
  /** More than any chain, or all CAs that a site has. */
  private static final long FILE_BYTES_MAX = 1024 * 1024;

  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA");

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  /** What older tools write. */
  private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----");

  private PemFiles() {}

  static X509Certificate[] certificates(Path file) throws BadTlsFile {
    List<X509Certificate> found = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Certificate each : factory.generateCertificates(withoutKeys(read(file)))) {
        found.add((X509Certificate) each);
      }
    } catch (CertificateException e) {
      throw new BadTlsFile(
          "'" + file + "' cannot be read as certificates (" + e.getMessage() + "); give a PEM file",
          e);
    }
    if (found.isEmpty()) {
      throw new BadTlsFile("'" + file + "' holds no certificate; give a PEM file with one");
    }
    return found.toArray(X509Certificate[]::new);
  }

  /** A key may stand in the same file. */
  private static ByteArrayInputStream withoutKeys(byte[] content) {
    String text = new String(content, StandardCharsets.ISO_8859_1);
    if (!text.contains("PRIVATE KEY")) return new ByteArrayInputStream(content);
    String rest = KEY.matcher(text).replaceAll("");
    return new ByteArrayInputStream(rest.getBytes(StandardCharsets.ISO_8859_1));
  }

  static PrivateKey key(Path file) throws BadTlsFile {
    String text = new String(read(file), StandardCharsets.ISO_8859_1);
    requirePrivate(file);
    Matcher matcher = KEY.matcher(text);
    if (!matcher.find()) throw noKey(file, text);
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(matcher.group(1));
    } catch (IllegalArgumentException e) {
      throw new BadTlsFile("'" + file + "' is damaged: its key is no Base64; restore it", e);
    }
    for (String algorithm : KEY_ALGORITHMS) {
      PrivateKey key = decode(algorithm, encoded);
      if (key != null) return key;
    }
    throw new BadTlsFile(
        "'" + file + "' holds a key that is neither EC nor RSA; make one of these kinds");
  }

  /** Null if it is a key of another algorithm. */
  private static @Nullable PrivateKey decode(String algorithm, byte[] encoded) {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (InvalidKeySpecException e) {
      return null;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static BadTlsFile noKey(Path file, String text) {
    Matcher other = OTHER_KEY.matcher(text);
    if (!other.find()) {
      return new BadTlsFile("'" + file + "' holds no private key; give a PEM file with one");
    }
    return new BadTlsFile(
        "'%s' holds an '%s', which is not read; convert it with 'openssl pkcs8 -topk8 -nocrypt'"
            .formatted(file, other.group(1)));
  }

  /** A key that every user of the machine can read proves nothing. */
  private static void requirePrivate(Path file) throws BadTlsFile {
    try {
      PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view == null) return;
      if (view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ)) {
        throw new BadTlsFile(
            "every user of this machine can read the private key '%s'; run 'chmod 600 %s'"
                .formatted(file, file));
      }
    } catch (BadTlsFile e) {
      throw e;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static byte[] read(Path file) throws BadTlsFile {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw new BadTlsFile(
            "'" + file + "' has more than " + FILE_BYTES_MAX + " bytes; give a PEM file");
      }
      return Files.readAllBytes(file);
    } catch (BadTlsFile e) {
      throw e;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static BadTlsFile unreadable(Path file, IOException cause) {
    String why = "cannot be read (" + cause.getMessage() + ")";
    if (cause instanceof NoSuchFileException) why = "does not exist";
    if (cause instanceof AccessDeniedException) why = "cannot be read by this user";
    return new BadTlsFile("'" + file + "' " + why + "; name a PEM file that can be read", cause);
  }

  /** The key and the certificate, which belong together. */
  static OwnKey ownKey(TlsSettings.Own files) throws BadTlsFile {
    X509Certificate[] chain = certificates(files.certificate());
    PrivateKey key = key(files.key());
    requireMatch(files, key, chain[0]);
    return new OwnKey(key, chain);
  }

  private static void requireMatch(
      TlsSettings.Own settings, PrivateKey key, X509Certificate certificate) throws BadTlsFile {
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    boolean matches;
    try {
      byte[] sample = settings.key().toString().getBytes(StandardCharsets.UTF_8);
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(sample);
      byte[] signature = signing.sign();
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(certificate.getPublicKey());
      verifying.update(sample);
      matches = verifying.verify(signature);
    } catch (GeneralSecurityException e) {
      matches = false;
    }
    if (!matches) {
      throw new BadTlsFile(
          "the key '%s' does not belong to the certificate '%s'; give a pair"
              .formatted(settings.key(), settings.certificate()));
    }
  }
}
