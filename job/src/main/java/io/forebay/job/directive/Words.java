// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import io.forebay.base.ByteSize;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The words of one directive: its command, and its keys with their values. */
final class Words {
  private static final Pattern DECIMAL =
      Pattern.compile("(\\d*\\.\\d+|\\d+\\.)\\s*([KMGTPE])(i?B?)", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = "KMGTPE";

  private final ScriptLines.Line line;
  private final String command;
  private final Map<String, String> values = new LinkedHashMap<>();

  /**
   * Reads the words.
   *
   * @param keys the known ones; a flag, which has no value, ends with {@code !}
   */
  Words(ScriptLines.Line line, List<String> keys) throws BadDirective {
    this.line = line;
    String[] words = line.text().strip().split("\\s+", -1);
    this.command = words[0];
    for (int i = 1; i < words.length; i++) add(words[i], keys);
  }

  /** The command of a line; empty if there is none. */
  static String commandOf(ScriptLines.Line line) {
    return line.text().strip().split("\\s+", 2)[0];
  }

  private void add(String word, List<String> keys) throws BadDirective {
    int equals = word.indexOf('=');
    if (equals < 0) {
      if (!keys.contains(word + "!")) throw wordWithoutValue(word, keys);
      values.put(word, "");
      return;
    }
    String key = word.substring(0, equals);
    if (key.isEmpty() || word.length() == equals + 1) {
      throw bad("'" + word + "' has spaces around its '='; write KEY=VALUE without spaces");
    }
    if (!keys.contains(key)) throw bad("unknown key '%s'; %s".formatted(key, known(keys)));
    if (values.put(key, word.substring(equals + 1)) != null) {
      throw bad("'" + key + "' is given twice; write it once");
    }
  }

  private BadDirective wordWithoutValue(String word, List<String> keys) {
    if (keys.contains(word)) {
      return bad("'%s' has no value; write %s=VALUE without spaces".formatted(word, word));
    }
    return bad(
        "'%s' is not KEY=VALUE; values have no spaces in them, and %s"
            .formatted(word, known(keys)));
  }

  private String known(List<String> keys) {
    return "'#%s %s' knows %s"
        .formatted(line.origin(), command, String.join(", ", keys).replace("!", ""));
  }

  /** An error in this line. */
  BadDirective bad(String sentence) {
    return new BadDirective(line.number(), sentence);
  }

  int line() {
    return line.number();
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  @Nullable String optional(String key) {
    return values.get(key);
  }

  String required(String key, String example) throws BadDirective {
    String value = values.get(key);
    if (value != null) return value;
    throw bad(
        "'#%s %s' has no %s; write for example %s=%s"
            .formatted(line.origin(), command, key, key, example));
  }

  /** A value out of a fixed set. */
  <T> T choice(String key, Map<String, T> choices, @Nullable T otherwise) throws BadDirective {
    String text = values.get(key);
    if (text == null && otherwise != null) return otherwise;
    if (text == null) {
      text = required(key, choices.keySet().iterator().next());
    }
    T chosen = choices.get(text);
    if (chosen != null) return chosen;
    throw bad(
        "%s=%s is not known; write %s=%s"
            .formatted(key, text, key, String.join(" or " + key + "=", choices.keySet())));
  }

  /** A size of at least one byte. */
  long size(String key, String example) throws BadDirective {
    return sizeOf(key, required(key, example));
  }

  /** The size that a value of a key is. */
  long sizeOf(String key, String text) throws BadDirective {
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      throw bad(
          "%s=%s has a decimal point, which batch systems misread; write %s=%s"
              .formatted(key, text, key, whole(decimal)));
    }
    try {
      long bytes = ByteSize.parse(text).bytes();
      if (bytes > 0) return bytes;
    } catch (IllegalArgumentException e) {
      throw bad(
          "%s=%s is not a size; write a whole number with a unit, such as %s=100GiB"
              .formatted(key, text, key));
    }
    throw bad("%s=%s is no room; write at least %s=1MiB".formatted(key, text, key));
  }

  /** The same size in the next smaller unit, rounded up. */
  private static String whole(Matcher decimal) {
    String unit = decimal.group(2).toUpperCase(Locale.ROOT);
    boolean thousands = decimal.group(3).equalsIgnoreCase("B");
    BigDecimal smaller =
        new BigDecimal(decimal.group(1)).multiply(BigDecimal.valueOf(thousands ? 1000 : 1024));
    int at = UNITS.indexOf(unit);
    String suffix = at == 0 ? "" : UNITS.charAt(at - 1) + (thousands ? "B" : "iB");
    return smaller.setScale(0, RoundingMode.CEILING).toPlainString() + suffix;
  }
}
