// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Any file is certificates, a key, or refused; any first bytes are a TLS record or refused. */
class PemFuzzTargetTest {
  private static final int CHANGED = 400;
  private static final AllocationBound BOUND = new AllocationBound(4 * 1024 * 1024, 500);
  private static final Path FILE = file();

  @Test
  void anyFileIsReadOrRefused() throws GeneralSecurityException {
    byte[] key =
        Base64.getMimeEncoder()
            .encode(KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate().getEncoded());
    String text =
        "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
            .formatted(new String(key, StandardCharsets.US_ASCII));
    new FuzzRun(PemFuzzTargetTest.class, "pem", List.of(text.getBytes(StandardCharsets.US_ASCII)))
        .play(PemFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    try {
      Files.write(FILE, input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    BOUND.check(input.length, () -> read(input));
  }

  private static void read(byte[] input) {
    try {
      PemFiles.certificates(FILE);
    } catch (BadTlsFile refused) {
      requireReason(refused);
    }
    try {
      PemFiles.key(FILE);
    } catch (BadTlsFile refused) {
      requireReason(refused);
    }
    try {
      int bytes = TlsRecords.firstBytes(ByteBuffer.wrap(input));
      if (bytes > TlsRecords.RECORD_BYTES_MAX) throw new AssertionError("a long record");
    } catch (TlsFailure refused) {
      requireReason(refused);
    }
  }

  private static void requireReason(Exception refused) {
    if (refused.getMessage() == null) throw new AssertionError("no reason", refused);
  }

  private static Path file() {
    try {
      // Only its owner can read it, as a key wants it.
      Path file = Files.createTempFile("forebay-fuzz", ".pem");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
