// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.io.IOException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why TLS failed, as clauses for users. The engine's exceptions differ by their texts only. */
final class TlsReasons {
  private static final String ALERT = "received fatal alert: ";

  /** How the engine begins when the other end gives up before it has the keys of this end. */
  private static final String PLAIN_ALERT = "Unexpected plaintext alert received";

  private static final String PLAIN_ALERT_NAME = "Alert: ";

  private TlsReasons() {}

  static TlsFailure interrupted() {
    return new TlsFailure(
        TlsFailure.Kind.INTERRUPTED,
        "it ended without the closing message of TLS: its process or the network was interrupted");
  }

  /** A failure before the first message. */
  static IOException ofHandshake(IOException cause) {
    if (cause instanceof TlsFailure || !(cause instanceof SSLException)) return cause;
    CertificateRefused refused = refusal(cause);
    if (refused != null) {
      return new TlsFailure(TlsFailure.Kind.REFUSED, refused.sentence(), cause);
    }
    String plain = plainAlert(cause);
    if (plain == null) {
      return new TlsFailure(TlsFailure.Kind.REFUSED, handshakeClause(cause), cause);
    }
    boolean closes = plain.equals("user_canceled") || plain.equals("close_notify");
    return closes
        ? new TlsFailure(
            TlsFailure.Kind.INTERRUPTED,
            "it closed the connection before the TLS handshake was done: it did not wait longer",
            cause)
        : new TlsFailure(TlsFailure.Kind.REFUSED, alertClause(plain), cause);
  }

  /**
   * The name of an alert that the peer sent without encryption, or null. The engine, which expects
   * encrypted records by then, reports it as an exception that it does not expect.
   */
  private static @Nullable String plainAlert(IOException failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      String text = String.valueOf(at.getMessage());
      int name = text.lastIndexOf(PLAIN_ALERT_NAME);
      if (text.startsWith(PLAIN_ALERT) && name >= 0) {
        return text.substring(name + PLAIN_ALERT_NAME.length());
      }
    }
    return null;
  }

  private static @Nullable CertificateRefused refusal(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof CertificateRefused refused) return refused;
    }
    return null;
  }

  private static String handshakeClause(IOException cause) {
    String text = String.valueOf(cause.getMessage());
    String alert = alert(text);
    if (alert != null) return alertClause(alert);
    if (text.contains("Empty client certificate chain")) {
      return "it showed no certificate; configure tls-certificate and tls-key there";
    }
    if (text.contains("protocol") && text.contains("version")) return noCommonVersion();
    return "the TLS handshake failed (" + text + reasons(cause) + ")";
  }

  /** What the JDK's engine wraps; its own sentence may be 'Unexpected exception'. */
  private static String reasons(IOException failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable at = failure.getCause(); at != null; at = at.getCause()) {
      all.append(": ").append(at.getMessage() == null ? at : at.getMessage());
    }
    return all.toString();
  }

  /** The name of an alert that the peer sent, or null. */
  private static @Nullable String alert(String text) {
    int at = text.toLowerCase(Locale.ROOT).indexOf(ALERT);
    return at < 0 ? null : text.substring(at + ALERT.length());
  }

  private static String alertClause(String alert) {
    return switch (alert) {
      case "certificate_required" ->
          "it requires a certificate of this end; configure tls-certificate and tls-key here";
      case "bad_certificate",
          "certificate_unknown",
          "certificate_expired",
          "certificate_revoked",
          "unsupported_certificate",
          "unknown_ca",
          "access_denied" ->
          "it did not accept the certificate of this end ("
              + alert
              + "); its log says why: check the CA, the names and the expiry of that certificate";
      case "protocol_version" -> noCommonVersion();
      default -> "it ended the TLS handshake (" + alert + ")";
    };
  }

  private static String noCommonVersion() {
    return "it does not speak TLS 1.3, the only version that is allowed";
  }

  /**
   * A failure of an established stream. A peer that does not accept this end's certificate says so
   * only then: with TLS 1.3 the dialling end is the first that considers the handshake done.
   */
  static IOException ofStream(IOException cause) {
    if (cause instanceof TlsFailure || !(cause instanceof SSLException)) return cause;
    String text = String.valueOf(cause.getMessage());
    String alert = alert(text);
    if (alert != null) {
      boolean refused = alert.contains("certificate") || alert.equals("unknown_ca");
      return new TlsFailure(
          refused ? TlsFailure.Kind.REFUSED : TlsFailure.Kind.BROKEN,
          refused ? alertClause(alert) : "it ended the TLS connection (" + alert + ")",
          cause);
    }
    return new TlsFailure(
        TlsFailure.Kind.BROKEN, "it sent a TLS record that cannot be read (" + text + ")", cause);
  }
}
