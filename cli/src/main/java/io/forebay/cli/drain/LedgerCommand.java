package io.forebay.cli.drain;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.terminal.Json;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.FileStat;
import io.forebay.client.Forebay;
import io.forebay.client.Ledger;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows how far files have come on their way to the backing store. */
@Command(
    name = "ledger",
    description = "Show how far files have come on their way to the backing store.")
public final class LedgerCommand implements Callable<Integer> {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      description = "Of that file only, or of those below that directory.")
  private @Nullable String path;

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "1",
      defaultValue = "0",
      paramLabel = "SECONDS",
      description = "Show it again every second, or as often as said, until Ctrl-C.")
  private double watchSeconds;

  @Option(names = "--json", description = "Print everything as JSON, one line each time.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    RemotePath target = remote.path(path == null ? "" : path);
    try (Forebay forebay = remote.connect(target)) {
      Predicate<Ledger.Entry> wanted = wanted(forebay, target);
      LedgerView before = null;
      while (true) {
        LedgerView now =
            LedgerView.of(forebay.ledger(), wanted, before, Instant.now(), clock.nanos());
        if (json) out.println(Json.write(now.json()));
        else show(now, out);
        out.flush();
        before = now;
        if (watchSeconds <= 0) return 0;
        TimeUnit.NANOSECONDS.sleep((long) (watchSeconds * 1e9));
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /** A file by its number, since it may have other names. */
  private static Predicate<Ledger.Entry> wanted(Forebay forebay, RemotePath target)
      throws IOException {
    if (target.isRoot()) return entry -> true;
    FileStat stat = forebay.stat(target.path());
    if (!stat.isDirectory()) return entry -> entry.number() == stat.number();
    return entry -> entry.path().startsWith(target.path() + "/");
  }

  private void show(LedgerView now, PrintWriter out) {
    if (watchSeconds > 0 && Progress.onTerminal()) out.print(CLEAR_SCREEN);
    now.print(out);
  }
}
