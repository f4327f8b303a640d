// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands in {@code forebay --help}, grouped by their users. */
final class CommandGroups {
  private static final String OTHERS = "Others";

  private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("Try it", List.of("demo", "up"));
    GROUPS.put(
        "Files and values",
        List.of(
            "cp",
            "ls",
            "cat",
            "stat",
            "mkdir",
            "mv",
            "rm",
            "put",
            "get",
            "pairs",
            "del",
            "mount",
            "umount",
            "profile",
            "checkpoints",
            "netcdf"));
    GROUPS.put(
        "Instances, and the storage behind them",
        List.of(
            "instance",
            "job",
            "df",
            "usage",
            "pools",
            "drain",
            "wait-durable",
            "ledger",
            "refresh",
            "stage",
            "lost",
            "backing"));
    GROUPS.put(
        "Servers",
        List.of(
            "manager",
            "managers",
            "server",
            "agent",
            "token",
            "certificates",
            "audit",
            "status",
            "nodes",
            "revive",
            "log"));
    GROUPS.put("Measuring and proving", List.of("bench", "simulate", "chaos", "fuzz"));
    GROUPS.put("Building", List.of("completion", "test", "format", "build", "clean"));
  }

  private CommandGroups() {}

  /** Shows the commands of a command line in groups. */
  static CommandLine show(CommandLine root) {
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::text);
    root.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    return root;
  }

  /** The names of commands by group; commands without a group come last. */
  static Map<String, List<String>> of(Iterable<String> commands) {
    List<String> left = new ArrayList<>();
    commands.forEach(left::add);
    Map<String, List<String>> groups = new LinkedHashMap<>();
    GROUPS.forEach(
        (title, names) -> {
          List<String> there = names.stream().filter(left::contains).toList();
          left.removeAll(there);
          if (!there.isEmpty()) groups.put(title, there);
        });
    if (!left.isEmpty()) groups.put(OTHERS, List.copyOf(left));
    return groups;
  }

  private static String text(Help help) {
    CommandSpec spec = help.commandSpec();
    Map<String, Help> commands = help.subcommands();
    int widest = commands.keySet().stream().mapToInt(String::length).max().orElse(0);
    int width = spec.usageMessage().width();
    StringBuilder text = new StringBuilder();
    of(commands.keySet())
        .forEach(
            (title, names) -> {
              Help.TextTable table =
                  Help.TextTable.forColumns(
                      help.colorScheme(),
                      new Help.Column(widest + 4, 2, Help.Column.Overflow.SPAN),
                      new Help.Column(width - widest - 4, 2, Help.Column.Overflow.WRAP));
              for (String name : names) table.addRowValues(name, summary(commands, name));
              text.append(System.lineSeparator()).append(title).append(':');
              text.append(System.lineSeparator()).append(table);
            });
    return text.toString();
  }

  /** The first sentence of its description. */
  private static String summary(Map<String, Help> commands, String name) {
    Help help = commands.get(name);
    if (help == null) throw new IllegalStateException(name);
    String text = String.join(" ", help.commandSpec().usageMessage().description());
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }
}
