// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.MonotonicClock;
import io.forebay.client.host.LocalIdentity;
import io.forebay.server.authority.AuthorityOptions;
import io.forebay.server.authority.ClusterCa;
import io.forebay.server.metrics.MetricsOptions;
import io.forebay.server.proof.MungeOption;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Key;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.tls.BadTlsFile;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How peers reach a process.
 *
 * @param insecure whether it may listen beyond this machine without TLS
 * @param tls the files with its certificates; null for none
 * @param bounds how many connections each of its loops accepts
 * @param authority how it takes part in the cluster's own CA, if it has no such files
 * @param munge whether users may prove themselves by MUNGE
 * @param metrics where monitoring systems read its metrics
 */
public record Access(
    boolean insecure,
    @Nullable TlsSettings tls,
    ConnectionBounds bounds,
    AuthorityOptions authority,
    MungeOption munge,
    MetricsOptions metrics) {
  private static final Logger LOG = LoggerFactory.getLogger(Access.class);
  private static final int OWN_USER = LocalIdentity.current().user();

  /** From this machine only, without TLS. */
  public static final Access LOCAL = new Access(false, null);

  /** With the default bounds. */
  public Access(boolean insecure, @Nullable TlsSettings tls) {
    this(insecure, tls, ConnectionBounds.DEFAULT);
  }

  /** Without a part in the cluster's own CA, without MUNGE and metrics. */
  public Access(boolean insecure, @Nullable TlsSettings tls, ConnectionBounds bounds) {
    this(insecure, tls, bounds, AuthorityOptions.DEFAULT, MungeOption.OFF, MetricsOptions.OFF);
  }

  /** Of a manager. */
  public static Access ofManager(Settings settings) throws BadSetting {
    AuthorityOptions options =
        new AuthorityOptions(
            token(settings), settings.get(Keys.OWN_CA), settings.get(Keys.CERTIFICATE_LIFETIME));
    Access access = from(settings).with(options);
    if (options.own() && !access.mayEnrol()) {
      throw noCa(access.insecure ? "insecure" : "tls-certificate");
    }
    MungeOption munge = settings.get(Keys.MUNGE);
    if (munge.on() && access.insecure) {
      throw new BadSetting("munge needs TLS, and insecure is set; remove one of them");
    }
    return new Access(
        access.insecure,
        access.tls,
        access.bounds,
        access.authority,
        munge,
        MetricsOptions.from(settings, Keys.MANAGER_METRICS));
  }

  /** Of all processes of {@code forebay up}. */
  public static Access ofUp(Settings settings) throws BadSetting {
    boolean insecure = settings.get(Keys.INSECURE);
    boolean own = settings.get(Keys.OWN_CA);
    if (own && insecure) throw noCa("insecure");
    AuthorityOptions options =
        new AuthorityOptions(null, own, settings.get(Keys.CERTIFICATE_LIFETIME));
    return new Access(insecure, null)
        .with(options)
        .with(MetricsOptions.from(settings, Keys.MANAGER_METRICS));
  }

  private static BadSetting noCa(String other) {
    return new BadSetting(
        "own-ca is set, and with " + other + " there is no CA of its own; remove one of them");
  }

  /** Of a server. */
  public static Access ofServer(Settings settings) throws BadSetting {
    JoinToken token = token(settings);
    Access access = from(settings).with(MetricsOptions.from(settings, Keys.SERVER_METRICS));
    if (token == null) return access;
    return access.with(new AuthorityOptions(token, false, ClusterCa.LIFETIME));
  }

  private static @Nullable JoinToken token(Settings settings) throws BadSetting {
    String given = settings.find(Keys.TOKEN);
    if (given == null) return null;
    String text = given;
    if (given.startsWith("@")) {
      try {
        text = Files.readString(Path.of(given.substring(1)));
      } catch (IOException e) {
        throw new BadSetting("token is in " + given + ", which cannot be read (" + e + ")");
      }
    }
    JoinToken token = JoinToken.parse(text);
    if (token == null) {
      throw new BadSetting("token is not what 'forebay token create' printed; copy all of it");
    }
    return token;
  }

  private Access with(AuthorityOptions options) {
    return new Access(insecure, tls, bounds, options, munge, metrics);
  }

  /** The same with metrics elsewhere. */
  public Access with(MetricsOptions others) {
    return new Access(insecure, tls, bounds, authority, munge, others);
  }

  /** The same with certificates of the cluster's own CA. */
  Access with(TlsSettings files) {
    return new Access(insecure, files, bounds, authority, munge, metrics);
  }

  /** The same with a token, by which a server enrols; null if it has enrolled before. */
  Access withToken(@Nullable JoinToken token) {
    return with(new AuthorityOptions(token, false, authority.lifetime()));
  }

  /** The same with a CA of its own, unless there are other certificates or none. */
  Access withOwnCa() {
    return mayEnrol()
        ? with(new AuthorityOptions(authority.token(), true, authority.lifetime()))
        : this;
  }

  /** Whether certificates of the cluster's own CA may be used: there are no others. */
  boolean mayEnrol() {
    return tls == null && !insecure;
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
        settings.get(Keys.CONNECTIONS_PER_USER),
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

  /**
   * Reads the certificates; null if there are none.
   *
   * @param role what the process is
   * @param name of a server: its own; null for a process of any name
   */
  @Nullable TlsFiles open(CertificateName.Role role, @Nullable String name) throws StartFailed {
    if (tls == null) return null;
    try {
      TlsFiles files = TlsFiles.open(tls, MonotonicClock.system());
      String wrong = wrongName(files.identity().name(), role, name);
      if (wrong != null) LOG.warn("the certificate of this {} {}", role.word(), wrong);
      return files;
    } catch (BadTlsFile e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    }
  }

  /** Why others will not take its holder for that process, as the end of a sentence, or null. */
  static @Nullable String wrongName(
      @Nullable CertificateName found, CertificateName.Role role, @Nullable String name) {
    String needed = "urn:forebay:%s:%s".formatted(role.word(), name == null ? "NAME" : name);
    if (found == null) {
      return "names no role; others believe it only with the one URI " + needed + " in it";
    }
    if (found.role() == role && (name == null || found.name().equals(name))) return null;
    return "is of %s, so that others refuse it; it needs the URI %s".formatted(found, needed);
  }
}
