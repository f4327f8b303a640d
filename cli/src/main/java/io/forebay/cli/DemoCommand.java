package io.forebay.cli;

import io.forebay.base.ByteSize;
import io.forebay.base.MonotonicClock;
import io.forebay.cli.demo.Burst;
import io.forebay.cli.demo.BurstRecovery;
import io.forebay.cli.demo.DemoPlace;
import io.forebay.cli.demo.DemoPlan;
import io.forebay.cli.demo.DirectWrite;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.files.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows on one machine what a buffer is for, and that a crash loses nothing it acknowledged. */
@Command(
    name = "demo",
    description = "Take a burst, kill the process that holds it, and bring everything back.",
    footer = {
      "",
      "Exit codes: 0 everything acknowledged was found, 1 something was not, 2 wrong arguments.",
      "Nothing is left behind, also after Ctrl-C, unless --keep says so.",
    })
final class DemoCommand implements Callable<Integer> {
  /** The kill comes when so much of the burst is acknowledged, while the rest is arriving. */
  private static final double KILLED_AT = 0.97;

  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "The burst's size, such as 256MiB (default: what fits, up to 1536MiB).")
  private @Nullable ByteSize size;

  @ArgGroup(exclusive = true)
  private @Nullable Where where;

  @Option(names = "--json", description = "Print the figures as JSON, and nothing else.")
  private boolean json;

  /** Where the log is. */
  private static final class Where {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description =
            "Put the disk's part into a temporary folder there (default: ${java.io.tmpdir}).")
    private @Nullable Path directory;

    @Option(
        names = "--keep",
        paramLabel = "DIR",
        description = "Make the log in this new or empty folder and leave it for a look.")
    private @Nullable Path kept;
  }

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    Path kept = where == null || where.kept == null ? null : where.kept.toAbsolutePath();
    Path parent = parent(kept);
    if (kept != null) requireVacant(kept);
    DemoPlan plan = plan(parent);
    DemoReport report =
        new DemoReport(spec.commandLine().getOut(), spec.commandLine().getErr(), json);
    boolean sound;
    Path memory;
    try (DemoPlace place = DemoPlace.make(parent, kept)) {
      sound = run(plan, place, report);
      memory = place.memory();
    }
    report.end(kept, memory);
    return sound ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** The directory below which files are made, which is there. */
  private Path parent(@Nullable Path kept) {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    if (where != null && where.directory != null) parent = where.directory;
    if (kept != null && kept.getParent() != null) parent = kept.getParent();
    parent = parent.toAbsolutePath();
    if (Files.notExists(parent)) {
      throw new CommandFailed("'" + parent + "' does not exist; name a directory that does");
    }
    if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
      throw new CommandFailed("'" + parent + "' is not a directory to write in; name another");
    }
    return parent;
  }

  private static void requireVacant(Path kept) throws IOException {
    if (Files.notExists(kept)) return;
    if (!Files.isDirectory(kept)) {
      throw new CommandFailed("'" + kept + "' is not a directory; name a new one");
    }
    try (Stream<Path> entries = Files.list(kept)) {
      if (entries.findAny().isPresent()) {
        throw new CommandFailed("'" + kept + "' is not empty; name a new directory");
      }
    }
  }

  private DemoPlan plan(Path parent) throws IOException {
    long memoryBytes = Files.getFileStore(DemoPlace.memoryRoot(parent)).getUsableSpace();
    DemoPlan.Room room =
        new DemoPlan.Room(memoryBytes, Files.getFileStore(parent).getUsableSpace());
    try {
      return size == null ? DemoPlan.fitting(room) : DemoPlan.sized(size.bytes(), room);
    } catch (DemoPlan.NoRoom none) {
      throw new CommandFailed(String.valueOf(none.getMessage()), none);
    }
  }

  /** True when everything acknowledged was found. */
  private boolean run(DemoPlan plan, DemoPlace place, DemoReport report) throws IOException {
    report.planned(plan, place);
    long seed = new SplittableRandom().nextLong();
    try (Burst burst = place.hold(Burst.begin(plan, place.log(), place.memory(), seed))) {
      takeBurst(burst, report);
      report.killed(burst);
      boolean sound = recover(burst, place, report);
      report.direct(writeDirectly(burst, place, report));
      report.figures(burst);
      return sound;
    } catch (LogUnavailable unavailable) {
      throw new CommandFailed(unavailable.sentence(), unavailable);
    } catch (LocalFiles.BrokenJournal broken) {
      throw new CommandFailed("the files could not be recovered: " + broken.getMessage(), broken);
    } catch (Burst.HolderEnded ended) {
      String why = place.ending() ? "interrupted" : String.valueOf(ended.getMessage());
      throw new CommandFailed(why, ended);
    }
  }

  private static void takeBurst(Burst burst, DemoReport report) throws IOException {
    burst.awaitReady();
    report.begun(burst);
    try (Progress progress = report.progress("taking the burst")) {
      long killAtBytes = (long) (burst.plan().burstBytes() * KILLED_AT);
      while (burst.acknowledgedBytes() < killAtBytes) {
        burst.awaitMore();
        show(progress, burst.acknowledgedBytes(), burst.plan().burstBytes());
      }
    }
    burst.kill();
  }

  private boolean recover(Burst burst, DemoPlace place, DemoReport report)
      throws IOException, LogUnavailable, LocalFiles.BrokenJournal {
    try (BurstRecovery recovery = BurstRecovery.recover(burst, place.log(), place.memory())) {
      report.recovered(recovery);
      long startNanos = clock.nanos();
      long soundBytes;
      try (Progress progress = report.progress("comparing")) {
        soundBytes = recovery.verify(bytes -> show(progress, bytes, burst.acknowledgedBytes()));
      }
      report.verified(soundBytes, burst.acknowledgedBytes(), clock.nanos() - startNanos);
      return soundBytes == burst.acknowledgedBytes();
    }
  }

  private static long writeDirectly(Burst burst, DemoPlace place, DemoReport report)
      throws IOException {
    try (Progress progress = report.progress("writing to the disk")) {
      return DirectWrite.measure(
          burst, place.work(), bytes -> show(progress, bytes, burst.acknowledgedBytes()));
    }
  }

  private static void show(Progress progress, long bytes, long totalBytes) {
    progress.update(
        bytes, totalBytes, ByteSize.format(bytes) + " of " + ByteSize.format(totalBytes));
  }
}
