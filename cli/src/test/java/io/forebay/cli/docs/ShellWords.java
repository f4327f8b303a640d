// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.docs;

import java.util.ArrayList;
import java.util.List;

/** The words of simple commands, as a shell takes them apart; nothing is expanded. */
public final class ShellWords {
  private static final String ENDS = "|&;()<>";

  private ShellWords() {}

  /** The commands of a line, each with its words; redirections end a command. */
  public static List<List<String>> commands(String line) {
    List<List<String>> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    for (int i = 0; i < line.length(); i++) {
      char at = line.charAt(i);
      if (at == '\'' || at == '"') {
        int end = line.indexOf(at, i + 1);
        if (end < 0) end = line.length();
        word.append(line, i + 1, end);
        inWord = true;
        i = end;
      } else if (at == '#' && !inWord) {
        break;
      } else if (at == ' ' || ENDS.indexOf(at) >= 0) {
        if (inWord) words.add(word.toString());
        word.setLength(0);
        inWord = false;
        if (at != ' ' && !words.isEmpty()) {
          commands.add(words);
          words = new ArrayList<>();
        }
      } else {
        word.append(at);
        inWord = true;
      }
    }
    if (inWord) words.add(word.toString());
    if (!words.isEmpty()) commands.add(words);
    return commands;
  }
}
