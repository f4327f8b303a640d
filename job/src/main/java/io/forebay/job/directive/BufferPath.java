// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import org.jspecify.annotations.Nullable;

/**
 * A path in a buffer, as directives write it: {@code $DW_JOB_STRIPED/results}.
 *
 * @param persistent the persistent buffer's name; empty unless it is in one
 * @param path begins with {@code /}, the root of the buffer, and does not end with one otherwise
 */
public record BufferPath(Root root, String persistent, String path) {
  /** Where the path begins. */
  public enum Root {
    JOB_STRIPED("DW_JOB_STRIPED"),
    JOB_PRIVATE("DW_JOB_PRIVATE"),
    JOB_STRIPED_CACHE("DW_JOB_STRIPED_CACHE"),
    JOB_LDBAL_CACHE("DW_JOB_LDBAL_CACHE"),
    PERSISTENT_STRIPED("DW_PERSISTENT_STRIPED_");

    private final String variable;

    Root(String variable) {
      this.variable = variable;
    }

    /**
     * The variable's name in the job's environment; that of a persistent buffer ends in its name.
     */
    public String variable() {
      return variable;
    }
  }

  /** The variable as users write it, with its dollar. */
  public String variable() {
    return "$" + root.variable() + persistent;
  }

  /**
   * Reads a path that begins with a variable.
   *
   * @return null if it begins with no variable of a buffer
   * @throws IllegalArgumentException if the rest is no path in a buffer; the message goes on where
   *     a sentence has named the text
   */
  public static @Nullable BufferPath parse(String text) {
    if (!text.startsWith("$")) return null;
    boolean braces = text.startsWith("${");
    int nameStart = braces ? 2 : 1;
    int nameEnd = text.indexOf(braces ? '}' : '/', nameStart);
    if (nameEnd < 0) {
      if (braces) return null;
      nameEnd = text.length();
    }
    String name = text.substring(nameStart, nameEnd);
    String path = normal(text.substring(braces ? nameEnd + 1 : nameEnd));
    String prefix = Root.PERSISTENT_STRIPED.variable();
    if (name.startsWith(prefix)) {
      String persistent = name.substring(prefix.length());
      return persistent.isEmpty()
          ? null
          : new BufferPath(Root.PERSISTENT_STRIPED, persistent, path);
    }
    for (Root root : Root.values()) {
      if (root.variable().equals(name)) return new BufferPath(root, "", path);
    }
    return null;
  }

  /** The path below the root, with one slash between names. */
  private static String normal(String path) {
    if (!path.isEmpty() && !path.startsWith("/")) {
      throw new IllegalArgumentException("has no '/' behind the variable");
    }
    StringBuilder out = new StringBuilder();
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) continue;
      if (name.equals(".."))
        throw new IllegalArgumentException("has '..', which leaves the buffer");
      out.append('/').append(name);
    }
    return out.isEmpty() ? "/" : out.toString();
  }
}
