// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import io.forebay.job.directive.Directives.BufferType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Reads values of {@code access_mode}: modes with commas between them, each with attributes in
 * parentheses, such as {@code striped(MFS=1GiB,MFC=1000),private}.
 */
final class AccessModes {
  private static final String KEY = "access_mode";
  private static final String EXAMPLE =
      "write access_mode=striped, access_mode=private or access_mode=striped,private";

  private final Words words;
  private final BufferType type;

  AccessModes(Words words, BufferType type) {
    this.words = words;
    this.type = type;
  }

  List<AccessMode> read(String text) throws BadDirective {
    List<AccessMode> modes = new ArrayList<>();
    for (String part : split(text)) {
      AccessMode mode = mode(part);
      if (modes.stream().anyMatch(other -> other.kind() == mode.kind())) {
        throw words.bad("%s=%s has a mode twice; write each once".formatted(KEY, text));
      }
      modes.add(mode);
    }
    checkType(text, modes);
    return modes;
  }

  /** At the commas outside of parentheses. */
  private List<String> split(String text) throws BadDirective {
    List<String> parts = new ArrayList<>();
    int start = 0;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '(') depth++;
      if (c == ')') depth--;
      if (depth < 0 || depth > 1) break;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    if (depth != 0) {
      throw words.bad("%s=%s has parentheses that do not match; %s".formatted(KEY, text, EXAMPLE));
    }
    parts.add(text.substring(start));
    return parts;
  }

  private AccessMode mode(String text) throws BadDirective {
    int open = text.indexOf('(');
    String name = open < 0 ? text : text.substring(0, open);
    AccessMode mode = AccessMode.of(kind(name));
    if (open < 0) return mode;
    if (!text.endsWith(")")) {
      throw words.bad("%s=%s goes on behind its ')'; %s".formatted(KEY, text, EXAMPLE));
    }
    for (String attribute : text.substring(open + 1, text.length() - 1).split(",", -1)) {
      mode = with(mode, attribute.strip());
    }
    return mode;
  }

  private AccessMode.Kind kind(String name) throws BadDirective {
    for (AccessMode.Kind kind : AccessMode.Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(name)) return kind;
    }
    throw words.bad("access_mode '%s' is not known; %s".formatted(name, EXAMPLE));
  }

  private AccessMode with(AccessMode mode, String attribute) throws BadDirective {
    int equals = attribute.indexOf('=');
    String key = equals < 0 ? attribute : attribute.substring(0, equals);
    String value = equals < 0 ? "" : attribute.substring(equals + 1);
    return switch (key) {
      case "MFS" -> {
        OptionalLong bytes = OptionalLong.of(words.sizeOf(key, value));
        yield new AccessMode(mode.kind(), bytes, mode.filesCreatedMax());
      }
      case "MFC" -> {
        OptionalLong files = OptionalLong.of(count(value));
        yield new AccessMode(mode.kind(), mode.fileBytesMax(), files);
      }
      case "type" -> {
        if (!value.equals(type.name().toLowerCase(Locale.ROOT))) {
          throw words.bad(
              "access_mode has (type=%s), which is not the type of the buffer; write type=%s behind"
                      .formatted(value, value)
                  + " it instead");
        }
        yield mode;
      }
      case "client_cache" -> {
        // Nodes keep what the mount's cache mode says: there is nothing to choose.
        if (!value.equals("yes") && !value.equals("no")) {
          throw words.bad("client_cache=%s is not known; write yes or no".formatted(value));
        }
        yield mode;
      }
      default ->
          throw words.bad(
              "access_mode has the unknown attribute '%s'; it knows MFS, MFC, client_cache and type"
                  .formatted(attribute));
    };
  }

  private long count(String text) throws BadDirective {
    try {
      long count = Long.parseLong(text);
      if (count > 0) return count;
    } catch (NumberFormatException e) {
      throw words.bad("MFC=%s is not a number of files; write MFC=1000".formatted(text));
    }
    throw words.bad("MFC=%s allows no file; write MFC=1000".formatted(text));
  }

  private void checkType(String text, List<AccessMode> modes) throws BadDirective {
    for (AccessMode mode : modes) {
      if (type == BufferType.SCRATCH && mode.kind() == AccessMode.Kind.LDBALANCE) {
        throw words.bad(
            "access_mode=ldbalance is for type=cache; write access_mode=striped for scratch");
      }
      if (type == BufferType.CACHE && mode.kind() == AccessMode.Kind.PRIVATE) {
        throw words.bad("a cache cannot be private; write access_mode=striped or ldbalance");
      }
    }
    if (type == BufferType.CACHE && modes.size() > 1) {
      throw words.bad("a cache has one access_mode, not '%s'; write one".formatted(text));
    }
  }
}
