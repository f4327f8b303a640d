// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A CA and the certificates that it issues, as PEM files in a directory, made with the JDK's {@code
 * keytool}. One thread.
 */
public final class TestCertificates {
  private static final String PASSWORD = "changeit";
  private static final String USES = "eku=serverAuth,clientAuth";
  private static final int LINE_CHARS = 64;

  /** A certificate of this CA: {@code name.pem} and {@code name-key.pem}. */
  public record Pair(Path certificate, Path key) {}

  private final Path directory;
  private final String ca;

  private TestCertificates(Path directory, String ca) {
    this.directory = directory;
    this.ca = ca;
  }

  /** A new CA of that name. */
  public static TestCertificates create(Path directory, String ca) throws IOException {
    TestCertificates made = new TestCertificates(directory, ca);
    made.keytool(
        ca, "-genkeypair", "-alias", ca, "-dname", "CN=" + ca, "-keyalg", "EC", "-ext", "bc:c");
    made.writeChain(ca, made.ca());
    return made;
  }

  /** The certificate of the CA. */
  public Path ca() {
    return directory.resolve(ca + ".pem");
  }

  /** A certificate for this machine's loopback addresses. */
  public Pair issue(String name) throws IOException {
    return issue(name, "EC", "san=dns:localhost,ip:127.0.0.1,ip:0:0:0:0:0:0:0:1");
  }

  /**
   * A certificate.
   *
   * @param algorithm EC or RSA
   * @param options further extensions such as {@code san=dns:node1}; or begin with {@code -} and
   *     are options of keytool, each behind the name of the option
   */
  public Pair issue(String name, String algorithm, String... options) throws IOException {
    List<String> generate =
        new ArrayList<>(
            List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-keyalg", algorithm));
    List<String> sign = new ArrayList<>(List.of("-gencert", "-alias", ca, "-rfc", "-ext", USES));
    for (String option : options) {
      if (option.startsWith("-")) sign.addAll(List.of(option.split(" ", 2)));
      else sign.addAll(List.of("-ext", option));
    }
    Path request = directory.resolve(name + ".csr");
    Path signed = directory.resolve(name + ".signed");
    keytool(name, generate.toArray(String[]::new));
    keytool(name, "-certreq", "-alias", name, "-file", request.toString());
    sign.addAll(List.of("-infile", request.toString(), "-outfile", signed.toString()));
    keytool(ca, sign.toArray(String[]::new));
    Pair pair = new Pair(directory.resolve(name + ".pem"), directory.resolve(name + "-key.pem"));
    Files.copy(signed, pair.certificate, StandardCopyOption.REPLACE_EXISTING);
    writeKey(name, pair.key);
    return pair;
  }

  private void keytool(String store, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-keystore", store(store).toString(), "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.onExit().join().exitValue();
    if (code != 0) throw new IOException(String.join(" ", command) + ": " + said);
  }

  private Path store(String name) {
    return directory.resolve(name + ".p12");
  }

  private KeyStore open(String name) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store(name))) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private void writeChain(String name, Path file) throws IOException {
    try {
      Certificate certificate = open(name).getCertificate(name);
      Files.writeString(file, pem("CERTIFICATE", certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private void writeKey(String name, Path file) throws IOException {
    try {
      Key key = open(name).getKey(name, PASSWORD.toCharArray());
      Files.writeString(file, pem("PRIVATE KEY", key.getEncoded()));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String pem(String kind, byte[] encoded) {
    String base64 = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }
}
