// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.audit;

import io.forebay.cli.terminal.Table;
import io.forebay.server.audit.AuditLine;
import java.io.PrintWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Prints lines of audit logs for people: a row each, and below it what it is about. Columns have
 * fixed widths, since rows are also printed as they come.
 */
final class AuditTable {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int TIME_CHARS = 19;
  private static final int COMPONENT_CHARS = 12;
  private static final int WHO_CHARS = 20;
  private static final int ACTION_CHARS = 18;
  private static final int INSTANCE_CHARS = 13;
  private static final String SEPARATOR = "  ";
  private static final String INDENT = "    ";
  private static final String CERTIFICATE = "certificate of ";
  private static final String LOCAL = " of this machine";

  private final PrintWriter out;

  AuditTable(PrintWriter out) {
    this.out = out;
  }

  void printHead() {
    print(List.of("time (UTC)", "component", "who", "action", "instance", "outcome"));
  }

  void print(AuditLine line) {
    String time = TIME.format(line.time());
    if (line.dropped() > 0) {
      print(List.of(time, line.component(), "", line.dropped() + " lines lost", "", ""));
      return;
    }
    print(
        List.of(
            time,
            line.component(),
            who(line),
            line.action(),
            line.instance(),
            line.refusal() == null ? "ok" : "refused"));
    printBelow(line.detail());
    if (line.refusal() != null) printBelow(line.refusal());
  }

  private static String who(AuditLine line) {
    if (line.user() != null) return "user " + line.user();
    String principal = line.principal();
    if (principal.startsWith(CERTIFICATE)) return principal.substring(CERTIFICATE.length());
    return principal.endsWith(LOCAL)
        ? principal.substring(0, principal.length() - LOCAL.length())
        : principal;
  }

  private void print(List<String> cells) {
    int[] widths = {TIME_CHARS, COMPONENT_CHARS, WHO_CHARS, ACTION_CHARS, INSTANCE_CHARS};
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cut(plain(cells.get(i)), widths[i]);
      row.append(cell).append(" ".repeat(widths[i] - cell.length())).append(SEPARATOR);
    }
    out.println(row.append(cells.getLast()).toString().stripTrailing());
  }

  /** Below a row, in as many lines as it takes. */
  private void printBelow(String text) {
    int width = Table.WIDTH_MAX - INDENT.length();
    String left = plain(text).strip();
    while (!left.isEmpty()) {
      int end = left.length();
      if (end > width) {
        int space = left.lastIndexOf(' ', width);
        end = space > 0 ? space : width;
      }
      out.println(INDENT + left.substring(0, end).stripTrailing());
      left = left.substring(end).strip();
    }
  }

  /** Names come from users: they must not move the cursor. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .forEach(each -> plain.appendCodePoint(Character.isISOControl(each) ? '?' : each));
    return plain.toString();
  }

  private static String cut(String text, int chars) {
    return text.length() <= chars ? text : text.substring(0, chars - 1) + "…";
  }
}
