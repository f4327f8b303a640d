// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Globs as {@link java.nio.file.FileSystem#getPathMatcher} defines them, as regular expressions.
 */
final class GlobPattern {
  private static final String SPECIAL = "\\.^$|()[]{}+*?";

  private final String glob;
  private final StringBuilder regex = new StringBuilder();
  private int at;
  private boolean inGroup;

  private GlobPattern(String glob) {
    this.glob = glob;
  }

  static Pattern compile(String glob) {
    return new GlobPattern(glob).compile();
  }

  private Pattern compile() {
    while (at < glob.length()) {
      char c = glob.charAt(at++);
      switch (c) {
        case '*' -> star();
        case '?' -> regex.append("[^/]");
        case '[' -> brackets();
        case '{' -> open();
        case '}' -> close();
        case ',' -> regex.append(inGroup ? ")|(?:" : ",");
        case '\\' -> escaped();
        default -> literal(c);
      }
    }
    if (inGroup) throw broken("a group without its end");
    return Pattern.compile(regex.toString());
  }

  private void star() {
    if (at < glob.length() && glob.charAt(at) == '*') {
      at++;
      regex.append(".*");
    } else {
      regex.append("[^/]*");
    }
  }

  private void open() {
    if (inGroup) throw broken("a group within a group");
    inGroup = true;
    regex.append("(?:(?:");
  }

  private void close() {
    if (inGroup) regex.append("))");
    else literal('}');
    inGroup = false;
  }

  private void escaped() {
    if (at == glob.length()) throw broken("nothing behind the backslash");
    literal(glob.charAt(at++));
  }

  private void literal(char c) {
    if (SPECIAL.indexOf(c) >= 0) regex.append('\\');
    regex.append(c);
  }

  private void brackets() {
    regex.append("[[^/]&&[");
    if (at < glob.length() && glob.charAt(at) == '!') {
      regex.append('^');
      at++;
    }
    boolean any = false;
    while (true) {
      if (at == glob.length()) throw broken("brackets without their end");
      char c = glob.charAt(at++);
      if (c == ']' && any) break;
      if (c == '/') throw broken("a slash in brackets");
      any = true;
      // A hyphen between two characters is a range here as there.
      if ("\\[]&^".indexOf(c) >= 0) regex.append('\\');
      regex.append(c);
    }
    regex.append("]]");
  }

  private PatternSyntaxException broken(String why) {
    return new PatternSyntaxException(why, glob, at - 1);
  }
}
