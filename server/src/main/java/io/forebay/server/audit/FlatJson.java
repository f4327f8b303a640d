// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads an object of JSON whose values are texts, whole numbers and null. Any thread. */
final class FlatJson {
  private static final int UNICODE_DIGITS = 4;
  private static final int HEX = 16;

  /** Ends the reading of a text that is no such object. */
  private static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;
  }

  private final String text;
  private int at;

  private FlatJson(String text) {
    this.text = text;
  }

  /** The fields of an object, or null if the text is none. */
  static @Nullable Map<String, @Nullable Object> read(String text) {
    FlatJson reader = new FlatJson(text);
    try {
      Map<String, @Nullable Object> fields = reader.object();
      return reader.at == text.length() ? fields : null;
    } catch (Malformed e) {
      return null;
    }
  }

  private Map<String, @Nullable Object> object() throws Malformed {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    expect('{');
    if (taken('}')) return fields;
    do {
      String key = string();
      expect(':');
      fields.put(key, value());
    } while (taken(','));
    expect('}');
    return fields;
  }

  private @Nullable Object value() throws Malformed {
    if (at < text.length() && text.charAt(at) == '"') return string();
    int from = at;
    while (at < text.length() && ",}".indexOf(text.charAt(at)) < 0) at++;
    String word = text.substring(from, at);
    if (word.equals("null")) return null;
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw new Malformed();
    }
  }

  private String string() throws Malformed {
    StringBuilder string = new StringBuilder();
    expect('"');
    while (true) {
      char each = take();
      if (each == '"') return string.toString();
      string.append(each == '\\' ? escaped() : each);
    }
  }

  private char escaped() throws Malformed {
    char each = take();
    return switch (each) {
      case '"', '\\', '/' -> each;
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw new Malformed();
    };
  }

  private char unicode() throws Malformed {
    int code = 0;
    for (int i = 0; i < UNICODE_DIGITS; i++) {
      int digit = Character.digit(take(), HEX);
      if (digit < 0) throw new Malformed();
      code = code * HEX + digit;
    }
    return (char) code;
  }

  private char take() throws Malformed {
    if (at >= text.length()) throw new Malformed();
    return text.charAt(at++);
  }

  private boolean taken(char wanted) {
    boolean there = at < text.length() && text.charAt(at) == wanted;
    if (there) at++;
    return there;
  }

  private void expect(char wanted) throws Malformed {
    if (!taken(wanted)) throw new Malformed();
  }
}
