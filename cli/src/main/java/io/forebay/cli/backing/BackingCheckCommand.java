// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.backing;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.contract.BackingContract;
import io.forebay.backing.contract.BrokenPromise;
import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.terminal.CommandFailed;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks whether a backing store is usable and, on request, whether it keeps its promises. */
@Command(
    name = "check",
    description = "Find out whether a backing store can be used, and what it can do.",
    footer = {
      "",
      "ADDRESS is a directory, s3://BUCKET/DIR, hdfs://HOST:PORT/DIR, null:, or slow+ before any"
          + " of them.",
      "Exit codes: 0 it can be used, 1 it cannot or breaks a promise, 2 wrong arguments.",
    })
final class BackingCheckCommand implements Callable<Integer> {
  private static final String KEPT = "kept";

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "ADDRESS", description = "The store.")
  private @Nullable String address;

  @Option(
      names = "--contract",
      description =
          "Also store, replace, abort, read and delete files in a directory of its own, and"
              + " check what every store has to promise.")
  private boolean contract;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    if (spec == null || address == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (BackingStore store = open(spec, address)) {
      store.check();
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("store", store.description());
      result.putAll(abilities(store.capabilities()));
      Map<String, String> cases = new LinkedHashMap<>();
      if (contract) cases.putAll(cases(spec, address, store));
      boolean kept = cases.values().stream().allMatch(KEPT::equals);
      if (json) {
        if (contract) result.put("contract", cases);
        out.println(Json.write(result));
      } else {
        result.forEach((key, value) -> out.printf("%-18s %s%n", key, value));
        cases.forEach((name, outcome) -> out.printf("%-60s %s%n", name, outcome));
        out.println(kept ? "can be used" : "breaks promises: do not use it");
      }
      out.flush();
      return kept ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    } catch (BackingException failed) {
      throw new CommandFailed(failed.failure().sentence());
    }
  }

  static BackingStore open(CommandSpec spec, String address) {
    try {
      return BackingStores.ofThisProgram().open(address);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private static Map<String, Object> abilities(Capabilities capabilities) {
    Map<String, Object> abilities = new LinkedHashMap<>();
    abilities.put("parallelWriters", capabilities.parallelWriters());
    abilities.put("anyOffset", capabilities.anyOffset());
    abilities.put("stripe", ByteSize.format(capabilities.stripeBytes()));
    abilities.put("atomicRename", capabilities.atomicRename());
    abilities.put("symlinks", capabilities.symlinks());
    abilities.put("attributes", capabilities.attributes());
    abilities.put("verification", capabilities.verification().toString());
    return abilities;
  }

  /** Runs all cases to their end, and reports the result of each. */
  private static Map<String, String> cases(CommandSpec spec, String address, BackingStore store)
      throws BackingException {
    SplittableRandom random = new SplittableRandom();
    BackingPath place = BackingPath.of("forebay-check-" + Long.toHexString(random.nextLong()));
    Map<String, String> outcomes = new LinkedHashMap<>();
    try (BackingStore other = open(spec, address)) {
      store.makeDirectory(place, FileAttributes.NONE);
      for (BackingContract.Case each : new BackingContract(store, other, place, random).cases()) {
        outcomes.put(each.name(), outcome(each.check()));
      }
    }
    if (outcomes.values().stream().allMatch(KEPT::equals)) store.removeDirectory(place);
    else outcomes.put("leftover files are in " + place, "remove it");
    return outcomes;
  }

  private static String outcome(BackingContract.Check check) {
    try {
      check.run();
      return KEPT;
    } catch (BrokenPromise | BackingException broken) {
      return String.valueOf(broken.getMessage());
    }
  }
}
