// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON back in tests: maps, lists, strings, doubles, booleans, null. */
public final class JsonReader {
  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  public static Object read(String text) {
    JsonReader reader = new JsonReader(text.strip());
    Object value = reader.value();
    if (reader.at != reader.text.length())
      throw new IllegalArgumentException("more at " + reader.at);
    return value;
  }

  private Object value() {
    return switch (text.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    expect('{');
    while (!next('}')) {
      if (!map.isEmpty()) expect(',');
      String key = string();
      expect(':');
      map.put(key, value());
    }
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    expect('[');
    while (!next(']')) {
      if (!list.isEmpty()) expect(',');
      list.add(value());
    }
    return list;
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    expect('"');
    while (!next('"')) {
      char c = text.charAt(at++);
      if (c == '\\') throw new IllegalArgumentException("escapes are not read here, at " + at);
      string.append(c);
    }
    return string.toString();
  }

  private Object word() {
    int start = at;
    while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) at++;
    String word = text.substring(start, at);
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> null;
      default -> Double.valueOf(word);
    };
  }

  private boolean next(char c) {
    if (text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private void expect(char c) {
    if (!next(c)) throw new IllegalArgumentException("no '" + c + "' at " + at + " of " + text);
  }
}
