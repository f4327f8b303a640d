// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fenced blocks of a page. The word behind a fence says what a block is: {@code sh} is
 * commands, {@code console} is commands behind a prompt with what they print, {@code java} is a
 * program, and without a word it is text. {@code sh not run: REASON} is commands that no test can
 * run.
 *
 * @param name the page's path from the root of the checkout
 */
public record Page(String name, List<Block> blocks) {
  private static final Pattern FENCE = Pattern.compile("```(\\w*)(?: (.*))?");
  private static final String NOT_RUN = "not run: ";

  /** The prompt of a new user, or of a named machine. */
  private static final Pattern PROMPT = Pattern.compile("(?:[ \\w]*)\\$ (.*)");

  private static final Pattern FOREBAY = Pattern.compile("(?:\\./)?forebay .*");

  /**
   * What stands between two fences.
   *
   * @param line of the page on which it begins
   * @param notRun why its commands cannot be run; empty if they can
   */
  public record Block(String kind, String notRun, int line, List<String> lines) {
    public boolean isRun() {
      return notRun.isEmpty() && (kind.equals("sh") || kind.equals("console"));
    }

    public boolean isJava() {
      return kind.equals("java");
    }

    /** Its commands, also where they only look like some. */
    public List<Command> commands() {
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        String text = command(lines.get(i));
        int first = i;
        while (text.endsWith("\\") && i + 1 < lines.size()) {
          text = text.substring(0, text.length() - 1) + lines.get(++i);
        }
        if (text.isEmpty()) continue;
        String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
        boolean refused = kind.equals("console") && next.startsWith("forebay: ");
        commands.add(new Command(line + 1 + first, text, refused ? next : ""));
      }
      return commands;
    }

    private String command(String text) {
      if (kind.equals("sh")) return text.strip();
      Matcher prompt = PROMPT.matcher(text);
      if (prompt.matches()) return prompt.group(1).strip();
      return kind.isEmpty() && FOREBAY.matcher(text).matches() ? text.strip() : "";
    }
  }

  /**
   * One command.
   *
   * @param refusal what it says when it fails, as it should; empty if it should not fail
   */
  public record Command(int line, String text, String refusal) {}

  public static Page read(Path root, String name) throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(root.resolve(name));
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) continue;
      int line = i + 1;
      String rest = fence.group(2) == null ? "" : fence.group(2);
      if (!rest.isEmpty() && !rest.matches(NOT_RUN + ".+")) {
        throw new IOException(name + ":" + line + ": write '" + NOT_RUN + "REASON'");
      }
      List<String> block = new ArrayList<>();
      for (i++; i < lines.size() && !lines.get(i).equals("```"); i++) block.add(lines.get(i));
      String notRun = rest.isEmpty() ? "" : rest.substring(NOT_RUN.length());
      blocks.add(new Block(fence.group(1), notRun, line, block));
    }
    return new Page(name, blocks);
  }
}
