// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.authority;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whom a certificate names: a role and a name, which stand in it as the URI {@code
 * urn:forebay:ROLE:NAME}.
 *
 * @param name of a server, manager, node or administrator; the decimal uid of a user
 */
public record CertificateName(Role role, String name) {
  /** What the holder of a certificate may be. */
  public enum Role {
    SERVER,
    MANAGER,
    AGENT,
    USER,
    ADMIN,
    /** An agent that speaks for the batch system, too. */
    BATCH;

    /** As it stands in URIs. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final int NAME_CHARS_MAX = 100;

  private static final String PREFIX = "urn:forebay:";
  private static final String PLAIN = "-._~";
  private static final int BYTE_MASK = 0xff;
  private static final int HEX = 16;
  private static final int ESCAPE_CHARS = 3;

  public static CertificateName user(int uid) {
    return new CertificateName(Role.USER, Integer.toUnsignedString(uid));
  }

  /** The role of that word, or null. */
  public static @Nullable Role role(String word) {
    for (Role role : Role.values()) {
      if (role.word().equals(word)) return role;
    }
    return null;
  }

  /** The one of a certificate's alternative names that is such a URI; null if none or several. */
  public static @Nullable CertificateName of(List<String> alternatives) {
    CertificateName found = null;
    for (String each : alternatives) {
      CertificateName parsed = parse(each);
      if (parsed == null) continue;
      if (found != null) return null;
      found = parsed;
    }
    return found;
  }

  /** Null if it is no such URI. */
  public static @Nullable CertificateName parse(String uri) {
    if (!uri.startsWith(PREFIX)) return null;
    int colon = uri.indexOf(':', PREFIX.length());
    if (colon < 0) return null;
    Role role = role(uri.substring(PREFIX.length(), colon));
    String name = decode(uri.substring(colon + 1));
    return role == null || name == null || name.isEmpty() ? null : new CertificateName(role, name);
  }

  public String uri() {
    StringBuilder text = new StringBuilder(PREFIX).append(role.word()).append(':');
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      char plain = (char) (each & BYTE_MASK);
      if (isPlain(plain)) text.append(plain);
      else text.append(String.format(Locale.ROOT, "%%%02X", each & BYTE_MASK));
    }
    return text.toString();
  }

  private static boolean isPlain(char each) {
    boolean letter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    return letter || (each >= '0' && each <= '9') || PLAIN.indexOf(each) >= 0;
  }

  private static @Nullable String decode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int at = 0; at < text.length(); ) {
      char each = text.charAt(at);
      if (isPlain(each)) {
        bytes.write(each);
        at++;
        continue;
      }
      if (each != '%' || at + ESCAPE_CHARS > text.length()) return null;
      int high = Character.digit(text.charAt(at + 1), HEX);
      int low = Character.digit(text.charAt(at + 2), HEX);
      if (high < 0 || low < 0) return null;
      bytes.write(high * HEX + low);
      at += ESCAPE_CHARS;
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** For messages to users. */
  @Override
  public String toString() {
    return role.word() + " '" + name + "'";
  }
}
