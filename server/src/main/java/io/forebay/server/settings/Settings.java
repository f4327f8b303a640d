// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The validated settings of a process. Options of the command line override lines of the file,
 * which override defaults.
 *
 * <pre>
 *   # A line of a file: a key, its value, and perhaps a comment.
 *   memory = 4GiB   # of the whole server
 * </pre>
 */
public final class Settings {
  private static final long FILE_BYTES_MAX = 1024 * 1024;

  /** A value and where it was given: a file's line, or an option. */
  private record Given(String text, String where) {}

  private final List<Key<?>> keys;
  private final Map<String, Given> given;

  private Settings(List<Key<?>> keys, Map<String, Given> given) {
    this.keys = keys;
    this.given = given;
  }

  /**
   * Takes values from a file and from options.
   *
   * @param keys all there are
   * @param file null for none
   * @param options values by the names of their keys
   */
  public static Settings read(List<Key<?>> keys, @Nullable Path file, Map<String, String> options)
      throws BadSetting, IOException {
    Settings settings = new Settings(keys, new LinkedHashMap<>());
    if (file != null) settings.addFile(file);
    for (Map.Entry<String, String> option : options.entrySet()) {
      String where = "option '--" + option.getKey() + "'";
      settings.given.put(option.getKey(), new Given(option.getValue().strip(), where));
      settings.check(option.getKey());
    }
    return settings;
  }

  private void addFile(Path file) throws BadSetting, IOException {
    if (Files.size(file) > FILE_BYTES_MAX) {
      throw new BadSetting(
          "'%s' is longer than %d bytes; name a configuration file"
              .formatted(file, FILE_BYTES_MAX));
    }
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new BadSetting("'" + file + "' is not text in UTF-8; name a configuration file");
    }
    for (int i = 0; i < lines.size(); i++) {
      addLine(lines.get(i), "'%s' line %d".formatted(file, i + 1));
    }
  }

  private void addLine(String line, String where) throws BadSetting {
    String content = withoutComment(line).strip();
    if (content.isEmpty()) return;
    int equals = content.indexOf('=');
    if (equals < 0) {
      throw new BadSetting("%s: '%s' is not of the form key = value".formatted(where, content));
    }
    String name = content.substring(0, equals).strip();
    Given value = new Given(content.substring(equals + 1).strip(), where);
    Given earlier = given.put(name, value);
    check(name);
    if (earlier != null) {
      throw new BadSetting(
          "%s: key '%s' is set in %s already; keep one of them"
              .formatted(where, name, earlier.where));
    }
  }

  /** A comment begins with {@code #} at the start of a line or behind a space. */
  private static String withoutComment(String line) {
    for (int at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1)) {
      if (at == 0 || Character.isWhitespace(line.charAt(at - 1))) return line.substring(0, at);
    }
    return line;
  }

  private void check(String name) throws BadSetting {
    for (Key<?> key : keys) {
      if (!key.name().equals(name)) continue;
      find(key);
      return;
    }
    Given value = given.get(name);
    throw new BadSetting(
        "%s: there is no key '%s'; there are %s"
            .formatted(
                value == null ? "settings" : value.where,
                name,
                String.join(", ", keys.stream().map(Key::name).toList())));
  }

  /** Whether a value was given explicitly. */
  public boolean isGiven(Key<?> key) {
    return given.containsKey(key.name());
  }

  /** The value of a key that has one. */
  public <T> T get(Key<T> key) throws BadSetting {
    T value = find(key);
    if (value == null) {
      throw new BadSetting(
          "'%s' is missing; give --%s %s or a line in the configuration file"
              .formatted(key.name(), key.name(), key.kind().label()));
    }
    return value;
  }

  /** The value of a key, or null if it has none. */
  public <T> @Nullable T find(Key<T> key) throws BadSetting {
    Given value = given.get(key.name());
    String text = value == null ? key.standard() : value.text;
    if (text == null) return null;
    try {
      return key.kind().reading().read(text);
    } catch (IllegalArgumentException e) {
      throw new BadSetting(
          "%s: '%s' cannot be '%s'; it is %s"
              .formatted(
                  value == null ? "the standard value" : value.where,
                  key.name(),
                  text,
                  key.kind().allowed()));
    }
  }
}
