// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import io.forebay.client.host.LocalIdentity;
import io.forebay.client.host.TlsSource;
import io.forebay.client.proof.MungeProgram;
import io.forebay.client.proof.UserCredentials;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.tls.BadTlsFile;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an environment lets a client prove its user, in this order:
 *
 * <ol>
 *   <li>Files with a certificate.
 *   <li>MUNGE, with the CA of the cluster in a file.
 *   <li>A token by which the client enrols when it connects first. It keeps its key below the home
 *       directory of its user, by the hash of the CA, so that later connections need the token's
 *       secret no more.
 * </ol>
 *
 * <p>Any thread.
 */
public final class EnvironmentTls implements TlsSource {
  public static final String TOKEN = "FOREBAY_TOKEN";

  private static final String MUNGE = "munge";
  private static final int SHOWN_HASH_BYTES = 8;
  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentTls.class);

  private final Map<String, String> environment;
  private final Path home;
  private final CertificateName user;

  public EnvironmentTls(Map<String, String> environment, Path home, CertificateName user) {
    this.environment = Map.copyOf(environment);
    this.home = home;
    this.user = user;
  }

  /** Of this process. */
  public static EnvironmentTls ofProcess() {
    return new EnvironmentTls(
        System.getenv(),
        Path.of(System.getProperty("user.home", ".")),
        CertificateName.user(LocalIdentity.current().user()));
  }

  @Override
  public @Nullable TlsSettings settings() throws BadTlsFile {
    return usesMunge() ? verifying() : TlsSource.read(environment);
  }

  /** Whether MUNGE is to prove the user: a certificate would count more. */
  private boolean usesMunge() throws BadTlsFile {
    String proof = value(PROOF);
    if (proof.isEmpty()) return false;
    if (!proof.equals(MUNGE) && !proof.startsWith(MUNGE + ":/")) {
      throw new BadTlsFile(
          "%s is '%s', and can be 'munge' or 'munge:SOCKET' with the whole path of munged's socket"
              .formatted(PROOF, proof));
    }
    return value(CERTIFICATE).isEmpty() && value(KEY).isEmpty();
  }

  private String value(String variable) {
    return environment.getOrDefault(variable, "").strip();
  }

  private TlsSettings verifying() throws BadTlsFile {
    Path stored = home.resolve(".forebay").resolve("ca.pem");
    if (value(CA).isEmpty() && !Files.exists(stored)) {
      throw new BadTlsFile(
          "%s=munge needs the CA of the cluster, or another process could pose as the manager; set"
                  .formatted(PROOF)
              + " %s to its file, or copy it to '%s'".formatted(CA, stored));
    }
    String peerName = value(PEER_NAME);
    return TlsSettings.verifying(
        value(CA).isEmpty() ? stored : Path.of(value(CA)), peerName.isEmpty() ? null : peerName);
  }

  @Override
  public @Nullable UserCredentials credentials() throws BadTlsFile {
    if (!usesMunge()) return null;
    String proof = value(PROOF);
    return MungeProgram.of(
        proof.equals(MUNGE) ? null : Path.of(proof.substring(MUNGE.length() + 1)));
  }

  @Override
  public @Nullable TlsSettings settings(List<Address> managers) throws IOException {
    TlsSettings named = settings();
    String text = environment.getOrDefault(TOKEN, "");
    if (named != null || text.isBlank()) return named;
    JoinToken token = JoinToken.parse(text);
    if (token == null) {
      throw new IOException(TOKEN + " is not what 'forebay token create' printed; copy all of it");
    }
    IdentityFiles files = filesOf(token);
    Enroller enroller = new Enroller(managers, files);
    if (!enroller.isEnrolled(token, user)) {
      enroller.enrol(token, user, List.of());
    } else {
      enroller.enrolAgain(token, user, List.of());
      renew(enroller);
    }
    return files.settings();
  }

  private static void renew(Enroller enroller) {
    try {
      enroller.renewIfDue();
    } catch (IOException e) {
      LOG.debug("the certificate is renewed another time", e);
    }
  }

  private IdentityFiles filesOf(JoinToken token) {
    byte[] hash = token.authority().toArray();
    return new IdentityFiles(
        home.resolve(".forebay").resolve(HexFormat.of().formatHex(hash, 0, SHOWN_HASH_BYTES)));
  }
}
