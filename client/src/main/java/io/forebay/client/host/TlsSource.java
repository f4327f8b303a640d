// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import io.forebay.client.proof.UserCredentials;
import io.forebay.wire.Address;
import io.forebay.wire.tls.BadTlsFile;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a client finds its certificates, and how it proves its user without one; asked when it
 * connects. Any thread.
 */
public interface TlsSource {
  String CERTIFICATE = "FOREBAY_TLS_CERTIFICATE";
  String KEY = "FOREBAY_TLS_KEY";
  String CA = "FOREBAY_TLS_CA";
  String PEER_NAME = "FOREBAY_TLS_PEER_NAME";
  String PROOF = "FOREBAY_PROOF";

  /** The files, or null for connections without TLS. */
  @Nullable TlsSettings settings() throws BadTlsFile;

  /**
   * The same for a client of these managers, of which it may get a certificate.
   *
   * @throws IOException with a sentence for users if it gets none
   */
  default @Nullable TlsSettings settings(List<Address> managers) throws IOException {
    return settings();
  }

  /**
   * What proves the user of the client where its connections do not; null for nothing.
   *
   * @throws IOException with a sentence for users if what it is to be is not known
   */
  default @Nullable UserCredentials credentials() throws IOException {
    return null;
  }

  /** These files; null for connections without TLS. */
  static TlsSource of(@Nullable TlsSettings settings) {
    return () -> settings;
  }

  /** What an environment says. */
  static @Nullable TlsSettings read(Map<String, String> environment) throws BadTlsFile {
    List<String> set = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String variable : List.of(CERTIFICATE, KEY, CA)) {
      (environment.getOrDefault(variable, "").isBlank() ? missing : set).add(variable);
    }
    String peerName = environment.getOrDefault(PEER_NAME, "");
    if (!peerName.isBlank()) set.add(PEER_NAME);
    if (set.isEmpty()) return null;
    if (!missing.isEmpty()) {
      throw new BadTlsFile(
          "%s is set but %s is not; TLS needs %s, %s and %s, or %s=munge with %s"
              .formatted(set.get(0), missing.get(0), CERTIFICATE, KEY, CA, PROOF, CA));
    }
    return new TlsSettings(
        Path.of(environment.get(CERTIFICATE)),
        Path.of(environment.get(KEY)),
        Path.of(environment.get(CA)),
        peerName.isBlank() ? null : peerName);
  }
}
