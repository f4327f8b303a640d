// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.client.durability.Ledger;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A ledger for people, within a hundred columns, and for programs. */
final class LedgerView {
  private static final int PATH_CHARS_MAX = 34;
  private static final int ERROR_CHARS_MAX = 28;

  /** Rates need room too. */
  private static final int ERROR_CHARS_BESIDE_RATES = 20;

  /**
   * The maximum number of sentences about files that other programs changed; the table has them
   * all.
   */
  private static final int CHANGED_MAX = 3;

  private static final String NONE = "-";

  /** Files being drained, then failed files, then files by how long they have waited. */
  private static final Comparator<Ledger.Entry> BUSIEST_FIRST =
      Comparator.comparingInt(LedgerView::rank)
          .thenComparing(entry -> entry.lastError().isEmpty())
          .thenComparing(Ledger.Entry::since)
          .thenComparingLong(Ledger.Entry::number);

  private final Ledger ledger;
  private final List<Ledger.Entry> entries;
  private final Instant now;
  private final long nanos;
  private final Map<Long, Long> rates;

  private LedgerView(
      Ledger ledger, List<Ledger.Entry> entries, Instant now, long nanos, Map<Long, Long> rates) {
    this.ledger = ledger;
    this.entries = entries;
    this.now = now;
    this.nanos = nanos;
    this.rates = rates;
  }

  /**
   * Selects entries of a ledger.
   *
   * @param before an earlier view, for rates of single files
   * @param now for ages
   * @param nanos the time of the request, to compare with the next
   */
  static LedgerView of(
      Ledger ledger,
      Predicate<Ledger.Entry> wanted,
      @Nullable LedgerView before,
      Instant now,
      long nanos) {
    List<Ledger.Entry> entries = ledger.entries().stream().filter(wanted).toList();
    return new LedgerView(ledger, entries, now, nanos, rates(entries, before, nanos));
  }

  /** The drain rate of each file in bytes per second, by its number. */
  private static Map<Long, Long> rates(
      List<Ledger.Entry> entries, @Nullable LedgerView before, long nanos) {
    if (before == null || nanos <= before.nanos) return Map.of();
    Map<Long, Long> doneBefore = new HashMap<>();
    for (Ledger.Entry entry : before.entries) doneBefore.put(entry.number(), entry.doneBytes());
    Map<Long, Long> rates = new HashMap<>();
    for (Ledger.Entry entry : entries) {
      Long done = doneBefore.get(entry.number());
      if (entry.state() != Ledger.State.DRAINING || done == null) continue;
      long moved = Math.max(0, entry.doneBytes() - done);
      rates.put(entry.number(), (long) (moved * 1e9 / (nanos - before.nanos)));
    }
    return rates;
  }

  void print(PrintWriter out) {
    if (entries.isEmpty()) {
      out.println("there is no file");
    } else {
      Table table =
          new Table(2, "path", "state", "size", "done", "age", "tries", "last error").wordsLast();
      entries.stream().sorted(BUSIEST_FIRST).forEach(entry -> row(table, entry));
      table.print(out);
      out.println();
      Brief.wrap(LedgerTotals.of(entries).sentence(ledger.bytesPerSecond()), Table.WIDTH_MAX)
          .forEach(out::println);
    }
    if (ledger.leftOut() > 0) {
      out.printf(
          ledger.leftOut() == 1
              ? "%d symbolic link or special file of the backing store is not shown%n"
              : "%d symbolic links or special files of the backing store are not shown%n",
          ledger.leftOut());
    }
    entries.stream()
        .filter(entry -> entry.state() == Ledger.State.CHANGED)
        .limit(CHANGED_MAX)
        .forEach(
            entry ->
                Brief.wrap(entry.path() + ": " + entry.lastError(), Table.WIDTH_MAX)
                    .forEach(out::println));
    if (ledger.trouble().isEmpty()) return;
    Brief.wrap("draining makes no progress: " + ledger.trouble(), Table.WIDTH_MAX)
        .forEach(out::println);
  }

  private static int rank(Ledger.Entry entry) {
    return switch (entry.state()) {
      case DRAINING, NAMING -> 0;
      case WAITING -> 1;
      case BUFFERED -> 2;
      case DURABLE -> 3;
      case CHANGED -> -1;
    };
  }

  private void row(Table table, Ledger.Entry entry) {
    Duration age = Duration.between(entry.since(), now);
    table.row(
        entry.path().isEmpty() ? "file " + entry.number() : Brief.end(entry.path(), PATH_CHARS_MAX),
        word(entry.state()),
        Brief.size(entry.sizeBytes()),
        done(entry),
        // Clocks of servers may be ahead of this one.
        Brief.duration(age.isNegative() ? 0 : age.toNanos()),
        entry.attempts() == 0 ? NONE : Integer.toString(entry.attempts()),
        Brief.start(
            entry.lastError(), rates.isEmpty() ? ERROR_CHARS_MAX : ERROR_CHARS_BESIDE_RATES));
  }

  private String done(Ledger.Entry entry) {
    boolean stored =
        switch (entry.state()) {
          case BUFFERED, WAITING, CHANGED -> false;
          case DRAINING, NAMING, DURABLE -> true;
        };
    if (!stored) return NONE;
    double share = entry.sizeBytes() == 0 ? 1 : (double) entry.storedBytes() / entry.sizeBytes();
    Long rate = rates.get(entry.number());
    return (int) (100 * share) + "%" + (rate == null ? "" : " " + Brief.size(rate) + "/s");
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("bytesPerSecond", ledger.bytesPerSecond());
    json.put("trouble", ledger.trouble());
    json.put("totals", LedgerTotals.of(entries).json());
    json.put("leftOut", ledger.leftOut());
    json.put("files", entries.stream().map(LedgerView::json).toList());
    return json;
  }

  private static Map<String, Object> json(Ledger.Entry entry) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("path", entry.path());
    json.put("number", entry.number());
    json.put("sizeBytes", entry.sizeBytes());
    json.put("state", word(entry.state()));
    json.put("doneBytes", entry.doneBytes());
    json.put("version", entry.version());
    json.put("durableVersion", entry.durableVersion());
    json.put("backed", entry.backed());
    json.put("attempts", entry.attempts());
    json.put("since", entry.since().toString());
    json.put("lastError", entry.lastError());
    return json;
  }

  private static String word(Ledger.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
