// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import io.forebay.job.directive.Directives.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the directives of a job script, with the rules of Slurm's plugins: they end at the first
 * line that is neither a comment nor blank, and a line that ends with a backslash goes on in the
 * next, which begins with the same word.
 */
final class ScriptLines {
  /**
   * One directive.
   *
   * @param number of its first line, from 1
   * @param text what stands behind the word, continued lines included
   */
  record Line(int number, Origin origin, String text) {}

  private static final int WORD_CHARS = "#DW".length();

  private ScriptLines() {}

  static List<Line> find(String script) throws BadDirective {
    List<Line> found = new ArrayList<>();
    int number = 0;
    @Nullable Line open = null;
    for (String line : script.lines().toList()) {
      number++;
      Origin origin = originOf(line);
      if (open != null) {
        if (origin != open.origin) {
          throw new BadDirective(
              number,
              "the line before ends with '\\', so this one must go on with #%s; begin it with #%s,"
                      .formatted(open.origin, open.origin)
                  + " or remove the '\\'");
        }
        open = joined(open, line.substring(WORD_CHARS));
      } else if (origin != null) {
        open = new Line(number, origin, line.substring(WORD_CHARS));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        break;
      }
      if (open == null) continue;
      if (open.text.endsWith("\\")) continue;
      found.add(open);
      open = null;
    }
    if (open != null) {
      throw new BadDirective(
          open.number, "the directive ends with '\\'; remove it, or go on below");
    }
    return found;
  }

  private static @Nullable Origin originOf(String line) {
    for (Origin origin : Origin.values()) {
      String word = "#" + origin;
      if (!line.startsWith(word)) continue;
      // '#BBQ' is a comment.
      if (line.length() == WORD_CHARS || Character.isWhitespace(line.charAt(WORD_CHARS))) {
        return origin;
      }
    }
    return null;
  }

  private static Line joined(Line open, String rest) {
    String before = open.text.substring(0, open.text.length() - 1);
    boolean spaced =
        !before.isEmpty() && Character.isWhitespace(before.charAt(before.length() - 1));
    return new Line(open.number, open.origin, before + (spaced ? rest.stripLeading() : rest));
  }
}
