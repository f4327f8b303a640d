// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.drain;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.ending.ExpiryTime;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.terminal.WatchOptions;
import io.forebay.client.Forebay;
import io.forebay.client.durability.Ledger;
import io.forebay.client.file.FileStat;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the drain progress of files. */
@Command(
    name = "ledger",
    description = "Show how far the drain of each file to the backing store is.")
public final class LedgerCommand implements Callable<Integer> {
  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();
  @Mixin private WatchOptions watch = new WatchOptions();

  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      description = "Show only that file, or the files below that directory.")
  private @Nullable String path;

  /** What is printed at one time. */
  private record Seen(LedgerView ledger, Instance instance, Instant when) {
    void print(PrintWriter out) {
      ledger.print(out);
      warnings().forEach(sentence -> out.println("\n" + sentence));
    }

    Map<String, @Nullable Object> json() {
      Map<String, @Nullable Object> json = new LinkedHashMap<>(ledger.json());
      json.put("expires", ExpiryTime.json(instance));
      json.put("warnings", warnings());
      return json;
    }

    private List<String> warnings() {
      return ExpiryTime.sentences(List.of(instance), when);
    }
  }

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    RemotePath target = remote.path(path == null ? "" : path);
    try (Forebay forebay = remote.connect(target)) {
      Predicate<Ledger.Entry> wanted = wanted(forebay, target);
      watch.<Seen>show(
          out,
          before -> look(forebay, wanted, before == null ? null : before.ledger()),
          Seen::json,
          seen -> seen.print(out));
    }
    return 0;
  }

  private Seen look(Forebay forebay, Predicate<Ledger.Entry> wanted, @Nullable LedgerView before)
      throws IOException {
    Instant now = Instant.now();
    return new Seen(
        LedgerView.of(forebay.ledger(), wanted, before, now, clock.nanos()),
        forebay.instance(),
        now);
  }

  /** A file by its number, since it may have other names. */
  private static Predicate<Ledger.Entry> wanted(Forebay forebay, RemotePath target)
      throws IOException {
    if (target.isRoot()) return entry -> true;
    FileStat stat = forebay.stat(target.path());
    if (!stat.isDirectory()) return entry -> entry.number() == stat.number();
    return entry -> entry.path().startsWith(target.path() + "/");
  }
}
