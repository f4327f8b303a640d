// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Names and text as CDL writes them. */
public final class CdlText {
  private static final String SPECIAL = " !\"#$&'()*,:;<=>?[]\\^`{|}~";

  private CdlText() {}

  /** A name with a backslash before what would end it. */
  public static String name(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (isControl(c)) {
        text.append("\\%%%02x".formatted((int) c));
        continue;
      }
      boolean digitFirst = i == 0 && c >= '0' && c <= '9';
      if (digitFirst || SPECIAL.indexOf(c) >= 0) text.append('\\');
      text.append(c);
    }
    return text.toString();
  }

  /** One byte of an attribute's text; bytes beyond ASCII stay, since most of them are UTF-8. */
  static void attributeByte(byte b, CdlOut out) throws IOException {
    int c = b & 0xff;
    String escape = escape(c);
    if (escape != null) out.print(escape);
    else if (c == '\n') out.print("\\n\",\n\t\t\t\"");
    else if (isControl(c)) out.print(octal(c));
    else out.write(b);
  }

  /** One byte of a variable of characters. */
  static void dataByte(byte b, CdlOut out) throws IOException {
    int c = b & 0xff;
    String escape = escape(c);
    if (escape != null) out.print(escape);
    else if (c == '\n') out.print("\\n\",\n    \"");
    else if (isControl(c) || c > 0x7f) out.print(octal(c));
    else out.write(b);
  }

  private static boolean isControl(int c) {
    return c < ' ' || c == 0x7f;
  }

  static String octal(int c) {
    return "\\%03o".formatted(c);
  }

  private static @Nullable String escape(int c) {
    return switch (c) {
      case '\b' -> "\\b";
      case '\f' -> "\\f";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      case 0x0b -> "\\v";
      case '\\' -> "\\\\";
      case '\'' -> "\\'";
      case '"' -> "\\\"";
      default -> null;
    };
  }

  /** How long a name is where lines are measured. */
  static int bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }
}
