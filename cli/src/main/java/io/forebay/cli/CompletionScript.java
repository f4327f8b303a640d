// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Picocli's completion script with the words of each option. Picocli keeps them in a variable named
 * after the option's label, so that several options with the same label all offer the words of the
 * last; and it spells them like Java's constants.
 */
final class CompletionScript {
  private static final Pattern FUNCTION = Pattern.compile("function \\w+\\(\\) \\{");
  private static final Pattern WORDS =
      Pattern.compile("  local \\S+_option_args=\\((.*)\\) # (\\S+) values");
  private static final Pattern CASE = Pattern.compile("    ('[^)]+')\\)");
  private static final Pattern USE = Pattern.compile("\"\\$\\{\\S+_option_args\\[@]}\"");

  /** A label that says which words there are, such as {@code none|auto|writeback}. */
  private static final Pattern CHOICE = Pattern.compile("[\\w-]+(\\|[\\w-]+)+");

  private CompletionScript() {}

  /** Takes a command line that is used for nothing else, since this changes it. */
  static String of(CommandLine root) {
    offerChoices(root);
    Map<String, String> words = new LinkedHashMap<>();
    StringBuilder script = new StringBuilder();
    String option = "";
    for (String line : AutoComplete.bash(root.getCommandName(), root).split("\n", -1)) {
      if (FUNCTION.matcher(line).matches()) words.clear();
      Matcher found = WORDS.matcher(line);
      if (found.matches()) {
        words.put("'" + found.group(2) + "'", asWritten(found.group(1)));
        continue;
      }
      Matcher names = CASE.matcher(line);
      if (names.matches()) option = names.group(1);
      script.append(withWords(line, option, words)).append('\n');
    }
    return script.toString();
  }

  private static String withWords(String line, String option, Map<String, String> words) {
    Matcher use = USE.matcher(line);
    if (!use.find()) return line;
    return Stream.of(option.split("\\|", -1))
        .filter(words::containsKey)
        .findFirst()
        .map(name -> use.replaceFirst(Matcher.quoteReplacement(words.getOrDefault(name, ""))))
        .orElse(line);
  }

  /** In lower case and with hyphens, as in help and documentation. */
  private static String asWritten(String constants) {
    return constants.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Makes options whose labels list their words offer these words. */
  private static void offerChoices(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    List<OptionSpec> choices =
        spec.options().stream()
            .filter(option -> option.group() == null && !option.inherited())
            .filter(option -> CHOICE.matcher(option.paramLabel()).matches())
            .collect(Collectors.toList());
    for (OptionSpec option : choices) {
      spec.remove(option);
      List<String> words = List.of(option.paramLabel().split("\\|", -1));
      spec.addOption(option.toBuilder().completionCandidates(words).build());
    }
    for (CommandLine each : command.getSubcommands().values()) offerChoices(each);
  }
}
