// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that signs itself and that all ends of a benchmark show and trust. The JDK's {@code
 * keytool} makes it; it lies in a directory as PEM files for rings, and as a key store for bare
 * sockets.
 */
final class OwnCertificate {
  private static final String NAME = "bench";
  private static final String PASSWORD = "only for a benchmark";
  private static final int LINE_CHARS = 64;

  private static final String ALTERNATIVE_NAMES =
      "san=dns:localhost,ip:127.0.0.1,uri:urn:forebay:admin:" + NAME;

  private final Path directory;

  private OwnCertificate(Path directory) {
    this.directory = directory;
  }

  static OwnCertificate make(Path directory) throws IOException {
    OwnCertificate made = new OwnCertificate(directory);
    made.keytool(
        List.of("-genkeypair", "-alias", NAME, "-dname", "CN=" + NAME, "-keyalg", "EC"),
        List.of("-ext", ALTERNATIVE_NAMES, "-ext", "eku=serverAuth,clientAuth"),
        List.of("-storetype", "PKCS12", "-keystore", made.store(), "-storepass", PASSWORD));
    made.writePem();
    return made;
  }

  /** The one that another process has made. */
  static OwnCertificate in(Path directory) {
    return new OwnCertificate(directory);
  }

  Path directory() {
    return directory;
  }

  TlsSettings settings() {
    return new TlsSettings(certificate(), key(), certificate());
  }

  /** For sockets that are not Forebay's. */
  SSLContext context() throws IOException {
    try {
      KeyStore store = open();
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, PASSWORD.toCharArray());
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(NAME, store.getCertificate(NAME));
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  @SafeVarargs
  private void keytool(List<String>... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    for (List<String> some : arguments) command.addAll(some);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("no certificate could be made: " + said.strip());
    }
  }

  private KeyStore open() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(store()))) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private void writePem() throws IOException {
    try {
      KeyStore store = open();
      Files.createFile(
          key(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(
          key(), pem("PRIVATE KEY", store.getKey(NAME, PASSWORD.toCharArray()).getEncoded()));
      Files.writeString(certificate(), pem("CERTIFICATE", store.getCertificate(NAME).getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String pem(String kind, byte[] encoded) {
    String base64 = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }

  private String store() {
    return directory.resolve(NAME + ".p12").toString();
  }

  private Path certificate() {
    return directory.resolve(NAME + ".pem");
  }

  private Path key() {
    return directory.resolve(NAME + "-key.pem");
  }
}
