package io.forebay.base.series;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A name taken apart at the numbers in it, and what each of them may mean. */
final class NumberedName {
  /** Longer ones are no counters, and do not fit. */
  static final int DIGITS_MAX = 18;

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  /** The word in front of a number. */
  private static final Pattern WORD = Pattern.compile("([A-Za-z]+)[-_.= ]*$");

  /** The end of names such as a.h5. */
  private static final Pattern EXTENSION = Pattern.compile("\\.[A-Za-z]{1,3}$");

  /** What counts checkpoints. */
  private static final Set<String> STEPS = Set.of("chk", "ckp", "cpt", "rst");

  /** The same, also as the end of a longer word. */
  private static final Set<String> STEP_ENDS =
      Set.of(
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
  private static final Set<String> ROUNDS = Set.of("epoch", "cycle", "round", "generation");

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
    Matcher digits = DIGITS.matcher(name);
    while (digits.find()) {
      columns.add(new Column(digits.start(), digits.end(), meaning(digits.start(), digits.end())));
    }
  }

  private Meaning meaning(int start, int end) {
    String before = name.substring(0, start);
    boolean atEnd = end == name.length();
    if (end - start > DIGITS_MAX || (!atEnd && Character.isLetter(name.charAt(end)))) {
      return Meaning.NONE;
    }
    boolean single = end - start == 1 && (atEnd || name.charAt(end) == '.');
    if (single && EXTENSION.matcher(before).find()) return Meaning.NONE;
    Matcher found = WORD.matcher(before);
    String word = found.find() ? found.group(1).toLowerCase(Locale.ROOT) : "";
    if (STEPS.contains(word) || STEP_ENDS.stream().anyMatch(word::endsWith)) return Meaning.STEP;
    if (ROUNDS.stream().anyMatch(word::endsWith)) return Meaning.ROUND;
    return PARTS.contains(word) ? Meaning.PART : Meaning.PLAIN;
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
