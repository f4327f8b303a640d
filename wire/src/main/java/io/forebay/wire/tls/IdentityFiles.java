// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files of a process that has its certificate from the cluster's own CA, in a directory that
 * only its owner can use:
 *
 * <ul>
 *   <li>{@code identity.pem}: the private key, and behind it the certificate, those of the CAs that
 *       signed one another, and that of the root, in one file, so that one rename replaces them
 *       all;
 *   <li>{@code ca.pem}: the root of the cluster's own CA, which is accepted;
 *   <li>{@code revoked}: the serial numbers of revoked certificates, as last heard;
 *   <li>{@code token}: the hash of the token by which the process enrolled last.
 * </ul>
 *
 * <p>One thread writes; any may read.
 */
public record IdentityFiles(Path directory) {
  private static final String IDENTITY = "identity.pem";
  private static final String CA = "ca.pem";
  private static final String REVOKED = "revoked";
  private static final String TOKEN = "token";
  private static final int LINE_CHARS = 64;
  private static final int HEX = 16;

  /** How TLS finds them. */
  public TlsSettings settings() {
    Path identity = directory.resolve(IDENTITY);
    return new TlsSettings(identity, identity, directory.resolve(CA));
  }

  public boolean exist() {
    return Files.exists(directory.resolve(IDENTITY)) && Files.exists(directory.resolve(CA));
  }

  /** Whether there is no key and certificate; those of another user, which cannot be read, are. */
  public boolean areAbsent() {
    return Files.notExists(directory.resolve(IDENTITY));
  }

  /** The certificate of this process. */
  public X509Certificate certificate() throws BadTlsFile {
    return PemFiles.certificates(directory.resolve(IDENTITY))[0];
  }

  /** The certificate of this process, and those of the CAs between it and the root. */
  public List<X509Certificate> chain() throws BadTlsFile {
    List<X509Certificate> all =
        new ArrayList<>(List.of(PemFiles.certificates(directory.resolve(IDENTITY))));
    X509Certificate root = authority();
    if (all.size() > 1 && all.get(all.size() - 1).equals(root)) all.remove(all.size() - 1);
    return all;
  }

  /** The certificate of the root. */
  public X509Certificate authority() throws BadTlsFile {
    return PemFiles.certificates(directory.resolve(CA))[0];
  }

  public PrivateKey key() throws BadTlsFile {
    return PemFiles.key(directory.resolve(IDENTITY));
  }

  /**
   * Replaces key and certificates.
   *
   * @param chain the certificate, and those of the CAs between it and the root; of a root itself,
   *     only that
   */
  public void write(PrivateKey key, List<X509Certificate> chain, X509Certificate root)
      throws IOException {
    Files.createDirectories(directory, ownerOnly("rwx------"));
    replace(CA, pem(root));
    StringBuilder identity = new StringBuilder(pem("PRIVATE KEY", key.getEncoded()));
    for (X509Certificate each : chain) identity.append(pem(each));
    // Behind them is the root: ends that have a token know it by its hash only.
    if (!chain.get(0).equals(root)) identity.append(pem(root));
    replace(IDENTITY, identity.toString());
  }

  /** The revoked serial numbers that were written last; none if there was no such list. */
  public Set<Long> revoked() throws IOException {
    Set<Long> serials = new TreeSet<>();
    Path file = directory.resolve(REVOKED);
    if (!Files.exists(file)) return serials;
    for (String line : Files.readAllLines(file)) {
      try {
        serials.add(Long.parseLong(line.strip(), HEX));
      } catch (NumberFormatException e) {
        throw new BadTlsFile("'" + file + "' is damaged; remove it", e);
      }
    }
    return serials;
  }

  /** Replaces the list of revoked serial numbers. */
  public void writeRevoked(Set<Long> serials) throws IOException {
    List<String> lines = new TreeSet<>(serials).stream().map(Long::toHexString).toList();
    replace(REVOKED, lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
  }

  /** The hash of the token by which the process enrolled last; empty if that is not known. */
  public String token() throws IOException {
    Path file = directory.resolve(TOKEN);
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }

  public void writeToken(String hash) throws IOException {
    replace(TOKEN, hash + "\n");
  }

  private void replace(String name, String content) throws IOException {
    Path file = directory.resolve(name);
    Path fresh = directory.resolve(name + ".new");
    Files.deleteIfExists(fresh);
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel out = FileChannel.open(fresh, options, ownerOnly("rw-------"))) {
      ByteBuffer bytes = StandardCharsets.US_ASCII.encode(content);
      while (bytes.hasRemaining()) out.write(bytes);
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static FileAttribute<?>[] ownerOnly(String mode) {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    if (!posix) return new FileAttribute<?>[0];
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
    };
  }

  private static String pem(X509Certificate certificate) throws IOException {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IOException(e);
    }
  }

  private static String pem(String kind, byte[] encoded) {
    String base64 = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }
}
