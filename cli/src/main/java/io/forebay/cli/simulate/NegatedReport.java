// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.simulate;

import io.forebay.base.Json;
import io.forebay.cli.terminal.Progress;
import io.forebay.simulation.planted.NegatedSearch;
import io.forebay.simulation.planted.NegatedSearch.Found;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Negates every rule that is a predicate, and lists the rules whose negation no simulation notices.
 */
final class NegatedReport {
  private final List<Found> found = new ArrayList<>();

  /** Searches on all processors. */
  void search(int seedsMax, PrintWriter err) throws InterruptedException {
    NegatedSearch search = new NegatedSearch();
    int threads = Runtime.getRuntime().availableProcessors();
    try (Progress progress = Progress.of("negating", err);
        ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<Found>> searches = new ArrayList<>();
      for (int i = 0; i < search.size(); i++) {
        int index = i;
        searches.add(workers.submit(() -> search.search(index, seedsMax)));
      }
      for (Future<Found> each : searches) {
        found.add(each.get());
        progress.update(found.size(), search.size(), found.size() + " rules");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a search has ended by an error", e.getCause());
    }
  }

  /** Whether all were noticed. */
  boolean isComplete() {
    return found.stream().allMatch(Found::noticed);
  }

  void print(PrintWriter out) {
    out.printf("%-5s %-9s %5s %20s  %s%n", "rule", "by", "seeds", "seed", "negated");
    for (Found each : found) {
      out.printf(
          "%-5s %-9s %5d %20d  %s%n",
          each.rule(),
          each.noticed() ? each.by() : "UNNOTICED",
          each.seeds(),
          each.seed(),
          each.method());
    }
    long noticed = found.stream().filter(Found::noticed).count();
    out.printf("%d of %d negated rules noticed%n", noticed, found.size());
  }

  void printJson(PrintWriter out) {
    List<Object> all = new ArrayList<>();
    for (Found each : found) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("rule", each.rule());
      one.put("method", each.method());
      one.put("noticed", each.noticed());
      one.put("by", each.by());
      one.put("seed", each.seed());
      one.put("seeds", each.seeds());
      one.put("problem", PlantedReport.shortened(each.what()));
      all.add(one);
    }
    out.println(Json.write(Map.of("negated", all)));
  }
}
