// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.series;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds checkpoints among the names of a directory. A checkpoint is a file, a directory, or several
 * with the same number; checkpoints whose names differ only in that number, and in the part behind
 * it, form a series: {@code ckpt-0012.h5}, {@code chk-7/}, {@code model.ckpt-1000.index} and {@code
 * model.ckpt-1000.data-00000-of-00002}.
 */
public final class Series {
  /** Suffixes that programs give to unfinished files. */
  private static final List<String> UNDER_WAY =
      List.of(".tmp", ".temp", ".part", ".partial", ".incomplete", "~");

  /**
   * The names with one number of a series.
   *
   * @param series the series, as a {@link SeriesPattern} that finds it
   * @param names in the order of String
   * @param likely whether the name looks like a checkpoint's, or a pattern was given; else it is
   *     any name with a number
   */
  public record Checkpoint(String series, long number, List<String> names, boolean likely) {
    public Checkpoint {
      names = List.copyOf(names);
    }
  }

  private record Key(String series, boolean likely) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int bySeries = series.compareTo(other.series);
      return bySeries != 0 ? bySeries : Boolean.compare(likely, other.likely);
    }
  }

  private final TreeMap<Key, TreeMap<Long, TreeSet<String>>> found = new TreeMap<>();

  private Series() {}

  /** The checkpoints among the names, by series and number; names alone tell. */
  public static List<Checkpoint> of(Collection<String> names) {
    Series series = new Series();
    List<NumberedName> plain = new ArrayList<>();
    for (String name : new TreeSet<>(names)) {
      if (isUnderWay(name)) continue;
      NumberedName numbered = new NumberedName(name);
      int step = numbered.step();
      if (step >= 0) series.add(numbered, step, true);
      else if (numbered.nextPlain(0) >= 0) plain.add(numbered);
    }
    series.addPlain(plain, 0);
    return series.checkpoints();
  }

  /** The checkpoints that a pattern describes; of several the first that does. */
  public static List<Checkpoint> of(Collection<String> names, List<SeriesPattern> patterns) {
    if (patterns.isEmpty()) return of(names);
    Series series = new Series();
    for (String name : names) {
      if (isUnderWay(name)) continue;
      for (SeriesPattern pattern : patterns) {
        OptionalLong number = pattern.numberOf(name);
        if (number.isEmpty()) continue;
        series.add(new Key(pattern.toString(), true), number.getAsLong(), name);
        break;
      }
    }
    return series.checkpoints();
  }

  /** Whether a name marks an unfinished or hidden file. */
  static boolean isUnderWay(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return name.startsWith(".") || UNDER_WAY.stream().anyMatch(lower::endsWith);
  }

  /**
   * For names without a marked number: the first number in which names with the same beginning
   * differ counts, or else the last one.
   */
  private void addPlain(List<NumberedName> names, int from) {
    TreeMap<String, List<NumberedName>> alike = new TreeMap<>();
    for (NumberedName name : names) {
      int column = name.nextPlain(from);
      alike.computeIfAbsent(name.seriesAt(column), key -> new ArrayList<>()).add(name);
    }
    for (List<NumberedName> same : alike.values()) {
      long different =
          same.stream().map(name -> name.number(name.nextPlain(from))).distinct().count();
      List<NumberedName> further = new ArrayList<>();
      for (NumberedName name : same) {
        int column = name.nextPlain(from);
        boolean last = name.nextPlain(column + 1) < 0;
        if (different > 1 || last) add(name, column, false);
        else further.add(name);
      }
      // Their numbers so far are the same, and so are the columns behind.
      if (!further.isEmpty()) addPlain(further, further.get(0).nextPlain(from) + 1);
    }
  }

  private void add(NumberedName name, int column, boolean likely) {
    add(new Key(name.seriesAt(column), likely), name.number(column), name.name());
  }

  private void add(Key key, long number, String name) {
    found
        .computeIfAbsent(key, unused -> new TreeMap<>())
        .computeIfAbsent(number, unused -> new TreeSet<>())
        .add(name);
  }

  private List<Checkpoint> checkpoints() {
    List<Checkpoint> all = new ArrayList<>();
    found.forEach(
        (key, numbers) ->
            numbers.forEach(
                (number, names) ->
                    all.add(
                        new Checkpoint(key.series, number, new ArrayList<>(names), key.likely))));
    return all;
  }
}
