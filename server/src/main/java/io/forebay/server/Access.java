// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.MonotonicClock;
import io.forebay.client.host.LocalIdentity;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Key;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.tls.BadTlsFile;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How peers reach a process.
 *
 * @param insecure whether it may listen beyond this machine without TLS
 * @param tls the files with its certificates; null for none
 * @param bounds how many connections each of its loops accepts
 */
public record Access(boolean insecure, @Nullable TlsSettings tls, ConnectionBounds bounds) {
  private static final int OWN_USER = LocalIdentity.current().user();

  /** From this machine only, without TLS. */
  public static final Access LOCAL = new Access(false, null);

  /** With the default bounds. */
  public Access(boolean insecure, @Nullable TlsSettings tls) {
    this(insecure, tls, ConnectionBounds.DEFAULT);
  }

  public static Access from(Settings settings) throws BadSetting {
    Access access = new Access(settings.get(Keys.INSECURE), tls(settings), bounds(settings));
    if (access.insecure && access.tls != null) {
      throw new BadSetting(
          "insecure is for processes without TLS, and tls-certificate is set; remove one of them");
    }
    return access;
  }

  /** What the process believes of the other ends of its connections. */
  public Trust trust() {
    return insecure ? Trust.OPEN : Trust.ofProofs(OWN_USER);
  }

  private static ConnectionBounds bounds(Settings settings) throws BadSetting {
    int connections = settings.get(Keys.CONNECTIONS);
    int clients = settings.get(Keys.CLIENT_CONNECTIONS);
    if (clients >= connections) {
      throw new BadSetting(
          "client-connections is %d, and must be less than connections, %d: servers need some"
              .formatted(clients, connections));
    }
    ConnectionBounds usual = ConnectionBounds.DEFAULT;
    return new ConnectionBounds(
        connections,
        clients,
        settings.get(Keys.CONNECTIONS_PER_ADDRESS),
        usual.greeting(),
        usual.handshakeBytes());
  }

  private static @Nullable TlsSettings tls(Settings settings) throws BadSetting {
    Key<?> set = null;
    Key<?> missing = null;
    for (Key<?> key : List.of(Keys.TLS_CERTIFICATE, Keys.TLS_KEY, Keys.TLS_CA)) {
      if (settings.find(key) == null) missing = key;
      else set = key;
    }
    String peerName = settings.find(Keys.TLS_PEER_NAME);
    if (set == null && peerName != null) set = Keys.TLS_PEER_NAME;
    if (set == null) return null;
    if (missing != null) {
      throw new BadSetting(
          set.name()
              + " is set but "
              + missing.name()
              + " is not; TLS needs tls-certificate, tls-key and tls-ca");
    }
    Path certificate = settings.get(Keys.TLS_CERTIFICATE);
    return new TlsSettings(
        certificate, settings.get(Keys.TLS_KEY), settings.get(Keys.TLS_CA), peerName);
  }

  /** Reads the certificates; null if there are none. */
  @Nullable TlsFiles open() throws StartFailed {
    if (tls == null) return null;
    try {
      return TlsFiles.open(tls, MonotonicClock.system());
    } catch (BadTlsFile e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    }
  }
}
