// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.series;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A name taken apart at the numbers in it, and what each of them may mean. */
final class NumberedName {
  /** Longer numbers are no counters, and do not fit. */
  static final int DIGITS_MAX = 18;

  /** What may stand between a word and its number. */
  private static final String BETWEEN = "-_.= ";

  /** The longest word that makes a name's end with a digit, as that of a.h5. */
  private static final int EXTENSION_CHARS_MAX = 3;

  /** What counts checkpoints. */
  private static final Set<String> STEPS = Set.of("chk", "ckp", "cpt", "rst");

  /** The same, also as the end of a longer word. */
  private static final List<String> STEP_ENDS =
      List.of(
          "ckpt",
          "chkpt",
          "chkpoint",
          "checkpoint",
          "step",
          "iter",
          "iteration",
          "restart",
          "dump",
          "snap",
          "snapshot");

  /** What counts more coarsely than steps. */
  private static final List<String> ROUNDS = List.of("epoch", "cycle", "round", "generation");

  /** What counts the parts of one checkpoint. */
  private static final Set<String> PARTS =
      Set.of(
          "rank",
          "proc",
          "processor",
          "part",
          "shard",
          "task",
          "node",
          "host",
          "thread",
          "block",
          "domain",
          "subdomain",
          "group",
          "of",
          "pe",
          "mpi",
          "gpu");

  private enum Meaning {
    STEP,
    ROUND,
    PART,
    /** Part of a word, such as the 5 of .h5, or too long. */
    NONE,
    PLAIN
  }

  private record Column(int start, int end, Meaning meaning) {}

  private final String name;
  private final List<Column> columns = new ArrayList<>();

  NumberedName(String name) {
    this.name = name;
    // There may be very many names, so no pattern is matched here.
    int at = 0;
    while (at < name.length()) {
      int start = at;
      while (at < name.length() && isDigit(name.charAt(at))) at++;
      if (at > start) columns.add(new Column(start, at, meaning(start, at)));
      else at++;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private Meaning meaning(int start, int end) {
    boolean atEnd = end == name.length();
    if (end - start > DIGITS_MAX || (!atEnd && Character.isLetter(name.charAt(end)))) {
      return Meaning.NONE;
    }
    boolean single = end - start == 1 && (atEnd || name.charAt(end) == '.');
    if (single && endsExtension(start)) return Meaning.NONE;
    int wordEnd = start;
    while (wordEnd > 0 && BETWEEN.indexOf(name.charAt(wordEnd - 1)) >= 0) wordEnd--;
    String word = name.substring(wordStart(wordEnd), wordEnd).toLowerCase(Locale.ROOT);
    if (STEPS.contains(word) || STEP_ENDS.stream().anyMatch(word::endsWith)) return Meaning.STEP;
    if (ROUNDS.stream().anyMatch(word::endsWith)) return Meaning.ROUND;
    return PARTS.contains(word) ? Meaning.PART : Meaning.PLAIN;
  }

  private int wordStart(int wordEnd) {
    int start = wordEnd;
    while (start > 0 && isLetter(name.charAt(start - 1))) start--;
    return start;
  }

  private boolean endsExtension(int digit) {
    int start = wordStart(digit);
    int chars = digit - start;
    return chars >= 1 && chars <= EXTENSION_CHARS_MAX && start > 0 && name.charAt(start - 1) == '.';
  }

  String name() {
    return name;
  }

  /** The column that says it counts checkpoints, or -1. */
  int step() {
    int step = next(Meaning.STEP, 0);
    return step >= 0 ? step : next(Meaning.ROUND, 0);
  }

  /** The first column from there on that may count something, or -1. */
  int nextPlain(int from) {
    return next(Meaning.PLAIN, from);
  }

  private int next(Meaning meaning, int from) {
    for (int i = from; i < columns.size(); i++) {
      if (columns.get(i).meaning == meaning) return i;
    }
    return -1;
  }

  long number(int column) {
    return Long.parseLong(name, columns.get(column).start, columns.get(column).end, 10);
  }

  /**
   * The pattern of all names that differ from this one in the column and behind it; what counts
   * parts and rounds may differ as well.
   */
  String seriesAt(int column) {
    StringBuilder pattern = new StringBuilder();
    int at = 0;
    boolean others = false;
    for (int i = 0; i < column; i++) {
      Column each = columns.get(i);
      if (each.meaning != Meaning.PART && each.meaning != Meaning.ROUND) continue;
      others = true;
      pattern.append(SeriesPattern.quote(name.substring(at, each.start))).append('*');
      at = each.end;
    }
    pattern.append(SeriesPattern.quote(name.substring(at, columns.get(column).start)));
    return pattern.append(others ? "#*" : "*").toString();
  }
}
