// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.bench.process.ChildDesk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A task as a process: {@link ProcessCrew} sends it commands line by line, and releases it when all
 * have reached a barrier.
 */
final class RankChild {
  static final String MEET = "meet";
  static final String GO = "go";
  static final String DONE = "done ";
  static final String FAILED = "failed ";

  private static final String NO_OPTIONS = "-";

  private RankChild() {}

  public static void main(String[] arguments) throws IOException {
    List<String> words = Arrays.asList(arguments);
    IorTarget target =
        new IorTarget(IorTarget.Api.valueOf(words.get(0)), words.get(1), words.get(2));
    int number = Integer.parseInt(words.get(3));
    IorPlan plan = plan(words.subList(4, words.size()));
    ChildDesk desk = new ChildDesk();
    try (Rank rank = new Rank(plan, target, number, () -> meet(desk))) {
      desk.ready("rank " + number);
      serve(desk, rank);
    }
  }

  static List<String> arguments(IorPlan plan, IorTarget target, int number) {
    IorLayout layout = plan.layout();
    List<String> words = new ArrayList<>();
    words.add(target.api().name());
    words.add(target.where());
    words.add(target.testFile());
    words.add(Integer.toString(number));
    words.add(Integer.toString(layout.tasks()));
    words.add(Long.toString(layout.blockBytes()));
    words.add(Integer.toString(layout.transferBytes()));
    words.add(Integer.toString(layout.segments()));
    words.add(Boolean.toString(layout.filePerTask()));
    words.add(Boolean.toString(layout.random()));
    words.add(Long.toString(layout.seed()));
    String options =
        plan.options().stream().map(Enum::name).sorted().collect(Collectors.joining(","));
    words.add(options.isEmpty() ? NO_OPTIONS : options);
    return words;
  }

  private static IorPlan plan(List<String> words) {
    IorLayout layout =
        new IorLayout(
            Integer.parseInt(words.get(0)),
            Long.parseLong(words.get(1)),
            Integer.parseInt(words.get(2)),
            Integer.parseInt(words.get(3)),
            Boolean.parseBoolean(words.get(4)),
            Boolean.parseBoolean(words.get(5)),
            Long.parseLong(words.get(6)));
    Set<IorOption> options = EnumSet.noneOf(IorOption.class);
    if (!words.get(7).equals(NO_OPTIONS)) {
      for (String word : words.get(7).split(",", -1)) options.add(IorOption.valueOf(word));
    }
    return new IorPlan(layout, options, 1, 0);
  }

  private static void serve(ChildDesk desk, Rank rank) throws IOException {
    while (true) {
      String line = desk.next();
      if (line == null) return;
      String[] words = line.split(" ", -1);
      Phase phase = new Phase(Phase.Kind.valueOf(words[0]), Integer.parseInt(words[1]));
      try {
        desk.say(DONE + rank.run(phase).toLine());
      } catch (IOException | RuntimeException e) {
        desk.say(FAILED + String.valueOf(e).replaceAll("\\s+", " "));
        return;
      }
    }
  }

  /** Waits for the others by way of the parent. */
  private static void meet(ChildDesk desk) throws IOException {
    desk.say(MEET);
    if (!GO.equals(desk.next())) throw new IOException("the run was aborted");
  }
}
