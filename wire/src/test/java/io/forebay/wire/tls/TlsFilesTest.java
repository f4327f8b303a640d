// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.testing.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with keys and certificates: which are taken, why others are not, and what changes do. */
class TlsFilesTest {
  @TempDir static Path made;
  private static TestCertificates ca;
  private static TestCertificates.Pair first;
  private static TestCertificates.Pair second;

  @TempDir Path folder;
  private long nanos;

  @BeforeAll
  static void makeCertificates() throws IOException {
    ca = TestCertificates.create(made, "ca");
    first = ca.issue("first");
    second = ca.issue("second", "RSA");
  }

  private static void assertRefused(TlsSettings settings, String... parts) {
    assertThatThrownBy(() -> TlsIdentity.read(settings))
        .isInstanceOf(BadTlsFile.class)
        .message()
        .contains(parts);
  }

  private Path written(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void keysOfBothKindsAreRead() throws IOException {
    TlsIdentity.read(new TlsSettings(first.certificate(), first.key(), ca.ca()));
    TlsIdentity.read(new TlsSettings(second.certificate(), second.key(), ca.ca()));
  }

  @Test
  void missingAndForeignFilesAreNamed() throws IOException {
    Path none = folder.resolve("none.pem");
    Path text = written("text.pem", "nothing");
    assertRefused(new TlsSettings(none, first.key(), ca.ca()), none.toString(), "does not exist");
    assertRefused(new TlsSettings(text, first.key(), ca.ca()), text.toString(), "PEM");
    assertRefused(
        new TlsSettings(first.certificate(), text, ca.ca()), text.toString(), "no private key");
    assertRefused(
        new TlsSettings(first.certificate(), first.key(), none), none.toString(), "not exist");
    Path empty = written("empty.pem", "");
    assertRefused(new TlsSettings(empty, first.key(), ca.ca()), "holds no certificate");
  }

  @Test
  void keysThatMustBeConvertedOrKeptSecretAreRefused() throws IOException {
    Path old = written("old.pem", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n");
    assertRefused(
        new TlsSettings(first.certificate(), old, ca.ca()), "RSA PRIVATE KEY", "openssl pkcs8");
    Path locked = written("locked.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n");
    assertRefused(
        new TlsSettings(first.certificate(), locked, ca.ca()), "ENCRYPTED", "openssl pkcs8");
    Path open = written("open.pem", Files.readString(first.key()));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertRefused(new TlsSettings(first.certificate(), open, ca.ca()), "every user", "chmod 600");
  }

  @Test
  void keyAndCertificateMustBeAPair() {
    assertRefused(new TlsSettings(first.certificate(), second.key(), ca.ca()), "does not belong");
  }

  @Test
  void anExpiredCertificateIsNamed() throws IOException {
    TestCertificates.Pair old = ca.issue("old", "EC", "-startdate -10d", "-validity 2");
    assertRefused(
        new TlsSettings(old.certificate(), old.key(), ca.ca()), "old.pem", "expired", "replace");
  }

  @Test
  void changedFilesAreReadAgainAndBadOnesAreNot() throws IOException {
    TlsSettings settings =
        new TlsSettings(folder.resolve("c.pem"), folder.resolve("k.pem"), ca.ca());
    copy(first, settings);
    TlsFiles files = TlsFiles.open(settings, () -> nanos);
    TlsIdentity before = files.identity();
    look(files);
    assertThat(files.identity()).isSameAs(before);

    // Between the two, certificate and key do not fit.
    replace(second.certificate(), settings.certificate());
    look(files);
    assertThat(files.identity()).isSameAs(before);
    replace(second.key(), settings.key());
    assertThat(files.isDue()).isFalse();
    files.refresh();
    assertThat(files.identity()).as("not yet due").isSameAs(before);
    look(files);
    TlsIdentity after = files.identity();
    assertThat(after).isNotSameAs(before);

    Files.delete(settings.key());
    look(files);
    assertThat(files.identity()).isSameAs(after);
  }

  private void look(TlsFiles files) {
    nanos += TlsFiles.LOOK_NANOS;
    assertThat(files.isDue()).isTrue();
    files.refresh();
  }

  private static void copy(TestCertificates.Pair pair, TlsSettings to) throws IOException {
    replace(pair.certificate(), to.certificate());
    replace(pair.key(), to.key());
  }

  /** As an operator does: the time of the file changes too. */
  private static void replace(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    Files.setLastModifiedTime(to, FileTime.fromMillis(1_000_000 + from.hashCode() % 1000));
  }
}
