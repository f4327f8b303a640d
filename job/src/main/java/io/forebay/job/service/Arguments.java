// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code dw_wlm_cli}: options with values, and the flag {@code --hurry}. */
final class Arguments {
  /** Arguments that make no sense; the message says why. */
  static final class Misused extends Exception {
    private static final long serialVersionUID = 1;

    Misused(String sentence) {
      super(sentence);
    }
  }

  private static final String HURRY = "--hurry";

  /** The short names, and the long ones that they stand for. */
  private static final Map<String, String> SHORT =
      Map.of(
          "-f", "--function",
          "-t", "--token",
          "-c", "--caller",
          "-u", "--user",
          "-g", "--groupid",
          "-C", "--capacity",
          "-j", "--job",
          "-a", "--access",
          "-T", "--type",
          "-H", HURRY);

  private final Map<String, String> values = new HashMap<>();

  Arguments(List<String> words) throws Misused {
    for (int i = 0; i < words.size(); i++) {
      String name = SHORT.getOrDefault(words.get(i), words.get(i));
      if (!name.startsWith("--")) {
        throw new Misused(
            "'" + words.get(i) + "' is no option of dw_wlm_cli; begin with --function");
      }
      if (name.equals(HURRY)) {
        values.put(name, "");
        continue;
      }
      if (i + 1 == words.size()) throw new Misused(name + " needs a value");
      values.put(name, words.get(++i));
    }
  }

  boolean isHurry() {
    return values.containsKey(HURRY);
  }

  @Nullable String optional(String name) {
    return values.get(name);
  }

  String get(String name) throws Misused {
    String value = values.get(name);
    if (value == null) throw new Misused(name + " is missing");
    return value;
  }

  long number(String name) throws Misused {
    String text = get(name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new Misused(name + " " + text + " is not a number");
    }
  }
}
