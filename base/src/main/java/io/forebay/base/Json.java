// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON: maps, iterables, strings, numbers, booleans, null. */
public final class Json {
  private Json() {}

  /**
   * One line of JSON.
   *
   * @throws IllegalArgumentException for a value of another type, or a number that JSON does not
   *     have
   */
  public static String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  private static void append(StringBuilder out, @Nullable Object value) {
    if (value == null) out.append("null");
    else if (value instanceof Map<?, ?> map) appendObject(out, map);
    else if (value instanceof Iterable<?> list) appendArray(out, list);
    else if (value instanceof CharSequence text) appendString(out, text);
    else if (value instanceof Boolean bool) out.append(bool.booleanValue());
    else if (value instanceof Double number && !Double.isFinite(number)) {
      throw new IllegalArgumentException("JSON has no number " + number);
    } else if (value instanceof Number number) out.append(number);
    else throw new IllegalArgumentException("not for JSON: " + value.getClass().getName());
  }

  private static void appendObject(StringBuilder out, Map<?, ?> map) {
    String separator = "";
    out.append('{');
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator);
      appendString(out, String.valueOf(entry.getKey()));
      out.append(':');
      append(out, entry.getValue());
      separator = ",";
    }
    out.append('}');
  }

  private static void appendArray(StringBuilder out, Iterable<?> list) {
    String separator = "";
    out.append('[');
    for (Object element : list) {
      out.append(separator);
      append(out, element);
      separator = ",";
    }
    out.append(']');
  }

  private static void appendString(StringBuilder out, CharSequence text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          // A lone surrogate has no UTF-8 form, so it is escaped like a control character.
          if (c < ' ' || Character.isSurrogate(c)) out.append("\\u%04x".formatted((int) c));
          else out.append(c);
        }
      }
    }
    out.append('"');
  }
}
