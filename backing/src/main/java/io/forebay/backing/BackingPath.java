// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path below a store's root: names separated by slashes, such as {@code run7/dump.3}; the root
 * itself is the empty text. It cannot name anything outside the root, nor one of Forebay's own
 * temporary files.
 */
public record BackingPath(String text) implements Comparable<BackingPath> {
  public static final BackingPath ROOT = new BackingPath("");

  /** Names that begin so are temporary files of drains; they are never listed. */
  public static final String RESERVED_PREFIX = ".forebay-";

  /** The limit of all common file systems. */
  public static final int NAME_BYTES_MAX = 255;

  public static final int PATH_BYTES_MAX = 4096;

  public BackingPath {
    String problem = problemWith(text);
    if (problem != null) throw new IllegalArgumentException(problem);
  }

  /** The path of that text, which may begin or end with a slash as paths of a tree do. */
  public static BackingPath of(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && text.charAt(from) == '/') from++;
    while (to > from && text.charAt(to - 1) == '/') to--;
    return new BackingPath(text.substring(from, to));
  }

  /** Whether {@link #of} takes the text, such as a name from another process. */
  public static boolean accepts(String text) {
    try {
      of(text);
      return true;
    } catch (IllegalArgumentException senseless) {
      return false;
    }
  }

  /** Why the text is no path of a store, as a sentence, or null. */
  public static @Nullable String problemWith(String text) {
    if (text.isEmpty()) return null;
    if (bytes(text) > PATH_BYTES_MAX) {
      return "a path of %d bytes is too long for a backing store; at most %d"
          .formatted(bytes(text), PATH_BYTES_MAX);
    }
    for (String name : text.split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf(0) >= 0) {
        return "'%s' is not a path of a backing store: '%s' is not a name".formatted(text, name);
      }
      if (name.startsWith(RESERVED_PREFIX)) {
        return "'%s' cannot be stored: names that begin with %s are Forebay's own; rename it"
            .formatted(text, RESERVED_PREFIX);
      }
      if (bytes(name) > NAME_BYTES_MAX) {
        return "'%s' cannot be stored: its name has more than %d bytes; rename it"
            .formatted(text, NAME_BYTES_MAX);
      }
    }
    return null;
  }

  public boolean isRoot() {
    return text.isEmpty();
  }

  /** The names from the root on; none for the root. */
  public List<String> names() {
    return isRoot() ? List.of() : List.of(text.split("/", -1));
  }

  /** The last name. The root has none. */
  public String name() {
    if (isRoot()) throw new IllegalStateException("the root has no name");
    return text.substring(text.lastIndexOf('/') + 1);
  }

  /** The directory it is in. The root is in none. */
  public BackingPath parent() {
    if (isRoot()) throw new IllegalStateException("the root has no parent");
    int slash = text.lastIndexOf('/');
    return slash < 0 ? ROOT : new BackingPath(text.substring(0, slash));
  }

  public BackingPath resolve(String name) {
    return isRoot() ? new BackingPath(name) : new BackingPath(text + "/" + name);
  }

  @Override
  public int compareTo(BackingPath other) {
    return text.compareTo(other.text);
  }

  /** With a leading slash, so that the root is visible in messages. */
  @Override
  public String toString() {
    return "/" + text;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
