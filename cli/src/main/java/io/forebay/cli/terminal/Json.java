// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what {@code --json} prints: maps, iterables, strings, numbers, booleans, null. */
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
    switch (value) {
      case null -> out.append("null");
      case Map<?, ?> map -> appendObject(out, map);
      case Iterable<?> list -> appendArray(out, list);
      case CharSequence text -> appendString(out, text);
      case Boolean bool -> out.append(bool);
      case Double number when !Double.isFinite(number) ->
          throw new IllegalArgumentException("JSON has no number " + number);
      case Number number -> out.append(number);
      default -> throw new IllegalArgumentException("not for JSON: " + value.getClass().getName());
    }
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
