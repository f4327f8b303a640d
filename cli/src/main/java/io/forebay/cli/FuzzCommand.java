// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.base.fields.MalformedFields;
import io.forebay.cli.fuzz.ClusterFuzz;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.SeededRun;
import io.forebay.server.StartFailed;
import io.forebay.simulation.fuzz.StateFuzz;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Sends invalid messages to servers and a manager. */
@Command(
    name = "fuzz",
    description =
        "Send invalid messages to a temporary cluster, as a client and as a server, and check"
            + " that no process fails and clients are still served.",
    footer = {
      "",
      "The exit code is 0 only if nothing failed. A seed repeats the messages of the first part,"
          + " which needs no cluster, exactly; over sockets their order may differ."
    })
final class FuzzCommand implements Callable<Integer> {
  /** The share of the time for fuzzing a group's state alone. */
  private static final double STATE_PART = 0.2;

  private static final int ROUND_CHANGES = 300;
  private static final int ANSWERS_SHOWN = 12;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private SeededRun run = new SeededRun();

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    run.requireSense(spec.commandLine());
    PrintWriter out = spec.commandLine().getOut();
    long chosen = run.chooseSeed();
    out.println("seed       " + chosen);
    out.flush();
    long nanos = run.nanos();
    long changes = fuzzState(chosen, (long) (nanos * STATE_PART));
    out.println("state      " + changes + " changes of a group's state, nothing failed");
    out.flush();
    ClusterFuzz.Result result = fuzzCluster(chosen, (long) (nanos * (1 - STATE_PART)));
    out.println("messages   " + result.messages() + " of " + result.byType().size() + " types");
    out.println("answers    " + summary(result.answers()));
    if (result.failure() != null) {
      throw new CommandFailed("With seed " + chosen + ": " + result.failure());
    }
    out.println(
        "cluster    every process runs, and a client is served after all of them were restarted");
    return 0;
  }

  private static String summary(Map<String, Integer> answers) {
    return answers.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(ANSWERS_SHOWN)
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }

  private static long fuzzState(long seed, long nanos) {
    long startNanos = System.nanoTime();
    SplittableRandom seeds = new SplittableRandom(seed);
    long changes = 0;
    while (System.nanoTime() - startNanos < nanos) {
      long next = changes == 0 ? seed : seeds.nextLong();
      try {
        new StateFuzz(next).round(ROUND_CHANGES);
      } catch (MalformedFields | RuntimeException | StackOverflowError e) {
        throw new CommandFailed("With seed " + next + ", the state of a group failed: " + e, e);
      }
      changes += ROUND_CHANGES;
    }
    return changes;
  }

  private static ClusterFuzz.Result fuzzCluster(long seed, long nanos) throws IOException {
    try {
      return new ClusterFuzz(seed).run(nanos);
    } catch (StartFailed e) {
      throw new CommandFailed("the cluster did not start: " + e.getMessage(), e);
    }
  }
}
