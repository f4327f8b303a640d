// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.bench.process.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Tasks as processes of their own. */
final class ProcessCrew implements Crew {
  private final List<Child> children = new ArrayList<>();

  /**
   * Starts them.
   *
   * @param directory where their temporary files go
   */
  ProcessCrew(IorPlan plan, IorTarget target, Path directory) throws IOException {
    try {
      for (int i = 0; i < plan.layout().tasks(); i++) {
        children.add(Child.start(RankChild.class, directory, RankChild.arguments(plan, target, i)));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public List<RankTimes> run(Phase phase) throws IOException {
    for (Child child : children) child.tell(phase.kind().name() + " " + phase.shift());
    while (true) {
      List<String> said = new ArrayList<>();
      for (Child child : children) said.add(hear(child));
      if (!said.getFirst().equals(RankChild.MEET)) {
        return said.stream()
            .map(line -> RankTimes.parse(line.substring(RankChild.DONE.length())))
            .toList();
      }
      for (Child child : children) child.tell(RankChild.GO);
    }
  }

  private static String hear(Child child) throws IOException {
    String line = child.hear();
    if (line.startsWith(RankChild.FAILED)) {
      throw new IOException(
          child.where() + " failed: " + line.substring(RankChild.FAILED.length()));
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Child child : children) {
      try {
        child.close();
      } catch (IOException e) {
        if (failure == null) failure = e;
      }
    }
    if (failure != null) throw failure;
  }
}
