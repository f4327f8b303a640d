// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments.report;

import io.forebay.base.ByteSize;
import io.forebay.bench.Machine;
import io.forebay.bench.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The figures in a hand-written page: the text between two marks for each experiment is replaced,
 * and nothing else.
 */
public final class ExperimentPage {
  /** The page has no place for an experiment. The message is one sentence. */
  public static final class NoMarks extends Exception {
    private static final long serialVersionUID = 1;

    NoMarks(String sentence) {
      super(sentence);
    }
  }

  private ExperimentPage() {}

  /**
   * Puts the tables of the findings between their marks.
   *
   * @param how how it was measured, as a sentence without its full stop
   */
  public static void update(Path page, List<Findings> findings, String how)
      throws IOException, NoMarks {
    String text = Files.readString(page);
    for (Findings each : findings) text = replaced(text, each, how, page);
    Files.writeString(page, text);
  }

  /** The machine and the program, in words. */
  public static String how(Machine machine, String commit, boolean quick) {
    return "%s, commit %s, %d cores, %s of memory, Java %s"
        .formatted(
            quick ? "With --quick" : "The full run",
            commit,
            machine.cores(),
            ByteSize.format(machine.memoryBytes()),
            machine.java());
  }

  private static String replaced(String text, Findings findings, String how, Path page)
      throws NoMarks {
    String begin = "<!-- begin " + findings.name() + " -->\n";
    String end = "<!-- end " + findings.name() + " -->\n";
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    if (from < 0 || to < from) {
      throw new NoMarks(
          "'%s' has no place for %s; put '%s' and '%s' on lines of their own"
              .formatted(page, findings.name(), begin.strip(), end.strip()));
    }
    return text.substring(0, from + begin.length()) + tables(findings, how) + text.substring(to);
  }

  private static String tables(Findings findings, String how) {
    StringBuilder out = new StringBuilder();
    out.append("| ratio | paper | here |\n|---|---|---:|\n");
    for (Comparison each : findings.comparisons()) {
      out.append("| %s | %s | %s |\n".formatted(each.what(), each.paper(), ratio(each.ours())));
    }
    if (!findings.statements().isEmpty()) {
      out.append("\n| the paper says | this model | its figures |\n|---|---|---|\n");
      for (Statement each : findings.statements()) {
        out.append("| %s | %s | %s |\n".formatted(each.paper(), each.verdict(), each.here()));
      }
    }
    out.append("\n| measured here | median | least | most | unit |\n|---|---:|---:|---:|---|\n");
    for (Result result : findings.results()) {
      out.append(
          "| %s | %s | %s | %s | %s |\n"
              .formatted(
                  result.name(),
                  figure(result.value().median()),
                  figure(result.value().min()),
                  figure(result.value().max()),
                  result.unit()));
    }
    out.append("\n").append(how).append(".\n");
    return out.toString();
  }

  /** With two digits behind the point. */
  public static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String figure(double value) {
    String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }
}
