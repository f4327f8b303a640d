// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.page;

import io.forebay.client.profile.AccessCounts;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.CallCounts;
import io.forebay.client.profile.CommonValue;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.ProgramProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The page of a program, in lines of at most {@link #WIDTH} columns: sentences, then tables and
 * histograms, then advice. Any thread.
 */
public final class ProfilePage {
  public static final int WIDTH = 100;

  private static final int BAR = 30;
  private static final int COMMON_SHOWN = 4;
  private static final int FILES_SHOWN = 10;
  private static final int PATH_CHARS = 38;

  private ProfilePage() {}

  public static List<String> lines(ProgramProfile program) {
    List<String> lines = new ArrayList<>(words(program));
    lines.add("");
    calls(program.calls(), lines);
    if (program.reads().count() + program.writes().count() > 0) {
      lines.add("");
      orders(program, lines);
      lines.add("");
      sizes(program, lines);
      common("common sizes", program.writes().sizes(), program.reads().sizes(), lines);
      common("common strides", program.writes().strides(), program.reads().strides(), lines);
    }
    files(program, lines);
    advice(program, lines);
    return lines;
  }

  /** The sentences alone. */
  public static List<String> words(ProgramProfile program) {
    List<String> lines = new ArrayList<>();
    for (String sentence : Sentences.of(program)) wrap(sentence, "", lines);
    return lines;
  }

  private static void calls(CallCounts calls, List<String> lines) {
    lines.add("%-16s %12s %12s %12s %10s".formatted("call", "count", "time", "each", "share"));
    List<Call> made = new ArrayList<>();
    for (Call call : Call.values()) if (calls.count(call) > 0) made.add(call);
    made.sort((a, b) -> Long.compare(calls.nanos(b), calls.nanos(a)));
    for (Call call : made) {
      long nanos = calls.nanos(call);
      lines.add(
          "%-16s %12s %12s %12s %10s"
              .formatted(
                  call.word(),
                  Figures.number(calls.count(call)),
                  Figures.time(nanos),
                  Figures.time(nanos / calls.count(call)),
                  Figures.percent(nanos, calls.allNanos())));
    }
  }

  private static void orders(ProgramProfile program, List<String> lines) {
    lines.add("%-28s %12s %12s".formatted("accesses", "writes", "reads"));
    AccessCounts writes = program.writes();
    AccessCounts reads = program.reads();
    row("all", writes.count(), reads.count(), lines);
    for (Order order : Order.values()) row(order.word(), writes.of(order), reads.of(order), lines);
    row("not in whole 4 KiB pages", writes.pageUnaligned(), reads.pageUnaligned(), lines);
    String stripe = Figures.size(program.stripeBytes());
    row(
        "within a stripe (" + stripe + ")",
        writes.stripeUnaligned(),
        reads.stripeUnaligned(),
        lines);
    row("across stripes, in part", writes.stripeCrossing(), reads.stripeCrossing(), lines);
  }

  private static void row(String name, long writes, long reads, List<String> lines) {
    lines.add("%-28s %12s %12s".formatted(name, Figures.number(writes), Figures.number(reads)));
  }

  private static void sizes(ProgramProfile program, List<String> lines) {
    lines.add(
        "%-12s %10s %10s  %s".formatted("size from", "writes", "reads", "W: writes, r: reads"));
    long most = 1;
    for (int i = 0; i < AccessCounts.BUCKETS; i++) {
      most = Math.max(most, of(program.writes(), i) + of(program.reads(), i));
    }
    for (int i = 0; i < AccessCounts.BUCKETS; i++) {
      long writes = of(program.writes(), i);
      long reads = of(program.reads(), i);
      if (writes + reads == 0) continue;
      lines.add(
          "%-12s %10s %10s  %s%s"
              .formatted(
                  Figures.size(AccessCounts.bucketBytesMin(i)),
                  Figures.number(writes),
                  Figures.number(reads),
                  "W".repeat(bar(writes, most)),
                  "r".repeat(bar(reads, most))));
    }
  }

  private static int bar(long count, long most) {
    return (int) Math.ceil((double) count * BAR / most);
  }

  private static long of(AccessCounts accesses, int bucket) {
    return bucket < accesses.buckets().size() ? accesses.buckets().get(bucket) : 0;
  }

  private static void common(
      String name, List<CommonValue> writes, List<CommonValue> reads, List<String> lines) {
    if (writes.isEmpty() && reads.isEmpty()) return;
    lines.add("");
    lines.add("%-16s %30s %30s".formatted(name, "writes", "reads"));
    for (int i = 0; i < COMMON_SHOWN; i++) {
      if (i >= writes.size() && i >= reads.size()) return;
      lines.add("%-16s %30s %30s".formatted("", times(writes, i), times(reads, i)));
    }
  }

  private static String times(List<CommonValue> values, int i) {
    if (i >= values.size()) return "";
    CommonValue value = values.get(i);
    return Figures.number(value.count()) + " x " + Figures.exactSize(value.value());
  }

  private static void files(ProgramProfile program, List<String> lines) {
    if (program.files().isEmpty()) return;
    String format = "%-" + PATH_CHARS + "s %10s %10s %8s %8s %6s %6s";
    lines.add("");
    lines.add(format.formatted("file", "written", "read", "writers", "readers", "opens", "syncs"));
    // A file that is made again and again under one name is one row.
    Map<String, FileProfile> byPath = new LinkedHashMap<>();
    for (FileProfile file : program.files()) {
      byPath.merge(file.path(), file, FileProfile::plus);
    }
    int shown = 0;
    for (FileProfile file : byPath.values()) {
      if (shown++ == FILES_SHOWN) break;
      lines.add(
          format.formatted(
              end(file.path().isEmpty() ? "/" : file.path()),
              Figures.size(file.writes().bytes()),
              Figures.size(file.reads().bytes()),
              file.writers().size(),
              file.readers().size(),
              file.calls().count(Call.OPEN) + file.calls().count(Call.CREATE),
              file.calls().count(Call.SYNC)));
    }
    long more =
        program.filesSeen() - program.files().size() + Math.max(0, byPath.size() - FILES_SHOWN);
    if (more > 0) lines.add("… and " + Figures.counted(more, "file") + " more");
  }

  private static String end(String path) {
    return path.length() <= PATH_CHARS
        ? path
        : "…" + path.substring(path.length() - PATH_CHARS + 1);
  }

  private static void advice(ProgramProfile program, List<String> lines) {
    for (Advice each : Advice.of(program)) {
      lines.add("");
      wrap(each.word() + ": " + each.text(), "  ", lines);
    }
  }

  private static void wrap(String text, String indent, List<String> lines) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(indent);
      } else if (!line.isEmpty()) {
        line.append(' ');
      }
      line.append(word);
    }
    lines.add(line.toString());
  }
}
