// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.simulate;

import io.forebay.base.Json;
import io.forebay.cli.terminal.Progress;
import io.forebay.simulation.planted.PlantedBug;
import io.forebay.simulation.planted.PlantedSearch;
import io.forebay.simulation.planted.PlantedSearch.Found;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Plants every fault and reports which of them the simulation noticed, and by which rule. */
final class PlantedReport {
  private static final int SENTENCE_CHARS_MAX = 300;

  private final List<Found> found = new ArrayList<>();

  /** Searches on all processors. */
  void search(PrintWriter err) throws InterruptedException {
    PlantedSearch search = new PlantedSearch();
    PlantedBug[] bugs = PlantedBug.values();
    int threads = Runtime.getRuntime().availableProcessors();
    try (Progress progress = Progress.of("planting", err);
        ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<Found>> searches = new ArrayList<>();
      for (PlantedBug bug : bugs) searches.add(workers.submit(() -> search.search(bug)));
      for (Future<Found> each : searches) {
        found.add(each.get());
        progress.update(found.size(), bugs.length, found.size() + " faults");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a simulation has ended by an error", e.getCause());
    }
  }

  /** Whether all were noticed, on seeds that pass without them. */
  boolean isComplete() {
    return found.stream().allMatch(each -> each.caught() && each.clean());
  }

  void print(PrintWriter out) {
    out.printf("%-34s %-7s %5s %20s  %s%n", "planted", "by", "seeds", "seed", "what it does");
    for (Found each : found) {
      out.printf(
          "%-34s %-7s %5d %20d  %s%s%n",
          each.bug().label(),
          each.caught() ? each.by() : "MISSED",
          each.seeds(),
          each.seed(),
          each.bug().what(),
          each.clean() ? "" : " (the seed fails without it, too)");
    }
    long caught = found.stream().filter(Found::caught).count();
    out.printf("%d of %d planted faults noticed%n", caught, found.size());
  }

  void printJson(PrintWriter out) {
    List<Object> all = new ArrayList<>();
    for (Found each : found) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", each.bug().label());
      one.put("what", each.bug().what());
      one.put("caught", each.caught());
      one.put("by", each.by());
      one.put("seed", each.seed());
      one.put("seeds", each.seeds());
      one.put("passesUnplanted", each.clean());
      one.put("problem", shortened(each.problem()));
      all.add(one);
    }
    out.println(Json.write(Map.of("planted", all)));
  }

  static String shortened(String text) {
    return text.length() <= SENTENCE_CHARS_MAX ? text : text.substring(0, SENTENCE_CHARS_MAX) + "…";
  }
}
