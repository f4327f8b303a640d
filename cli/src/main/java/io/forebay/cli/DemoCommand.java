// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.base.ByteSize;
import io.forebay.base.MonotonicClock;
import io.forebay.cli.demo.Burst;
import io.forebay.cli.demo.DemoPlan;
import io.forebay.cli.demo.DirectWrite;
import io.forebay.cli.demo.LoopDevice;
import io.forebay.cli.demo.ReadBack;
import io.forebay.cli.demo.SlowShare;
import io.forebay.cli.demo.StoreCheck;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.OpenFiles;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Forebay;
import io.forebay.ring.DrainSpec;
import io.forebay.server.StartFailed;
import io.forebay.server.authority.ClusterCa;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingPlace;
import io.forebay.server.ring.RingShape;
import io.forebay.server.ring.ServerSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows on one machine what a ring is for, and that a crash loses no acknowledged data. */
@Command(
    name = "demo",
    description = {
      "Bring up a ring, take a burst, kill a server, read every byte back, drain it.",
      "",
      "The ranks of a program write a burst into the ring and then straight to a slow store; the",
      "demo tells how long they waited for each. The store has "
          + SlowShare.RATE
          + ": "
          + SlowShare.REASON
          + ". The ring is warmed by a burst that is not counted."
    },
    footer = {
      "",
      "Exit codes: 0 everything acknowledged was found, 1 something was not, 2 wrong arguments.",
      "Nothing is left behind, also after Ctrl-C, unless --keep says so.",
    })
final class DemoCommand implements Callable<Integer> {
  /** The server that is killed. */
  private static final String VICTIM = LocalRing.name(1);

  /** How long it is away, unless the others have taken everything earlier. */
  private static final long AWAY_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

  private static final long PAUSE_MILLIS = 2;

  private static final String STORE = "store";

  /** How long the ring may take to delete the warm-up data. */
  private static final long EMPTY_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(10);

  /**
   * The storage behind the ring.
   *
   * @param drained the target of the drain
   * @param direct the target of the ranks without a ring
   */
  private record Behind(String scheme, Path drained, Path direct) {}

  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "The burst's size, such as 256MiB (default: what fits, up to 768MiB).")
  private @Nullable ByteSize size;

  @ArgGroup(exclusive = true)
  private @Nullable Where where;

  @Option(
      names = "--device",
      description = {
        "Drain to a loop device of its own, throttled to "
            + SlowShare.RATE
            + " where the system can do that, instead of the slow profile; as root only."
      })
  private boolean device;

  @Option(
      names = "--tls",
      description = {
        "Let all processes use TLS, with certificates of the cluster's own CA; the store is written",
        "to without it."
      })
  private boolean tls;

  @Option(names = "--verbose", description = "Print each step as it is done.")
  private boolean verbose;

  @Option(names = "--json", description = "Print the figures as JSON, and nothing else.")
  private boolean json;

  /** Where the ring's files are. */
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
        description = "Make the ring's files in this new or empty folder and leave them there.")
    private @Nullable Path kept;
  }

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    OpenFiles.requireForServing();
    Path kept = where == null || where.kept == null ? null : where.kept.toAbsolutePath();
    Path parent = parent(kept);
    if (kept != null) requireVacant(kept);
    if (kept != null && device) {
      throw new ParameterException(
          spec.commandLine(),
          "--device is removed at the end with everything on it; leave out --keep");
    }
    if (size != null && size.bytes() < DemoPlan.BURST_BYTES_MIN) {
      throw new ParameterException(
          spec.commandLine(),
          "a burst of %s is too small; at least %s"
              .formatted(size, ByteSize.format(DemoPlan.BURST_BYTES_MIN)));
    }
    DemoPlan plan = plan(parent);
    DemoReport report =
        new DemoReport(
            spec.commandLine().getOut(), spec.commandLine().getErr(), verbose && !json, json);
    boolean sound;
    RingPlace place = RingPlace.make("demo", parent, kept);
    try (place) {
      sound = run(plan, place, report);
    } finally {
      if (kept != null) report.kept(kept, place.memory());
    }
    report.end(plan, kept);
    return sound ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** The existing directory below which files are created. */
  private Path parent(@Nullable Path kept) {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    if (where != null && where.directory != null) parent = where.directory;
    if (kept != null && kept.getParent() != null) parent = kept.getParent();
    parent = parent.toAbsolutePath();
    if (Files.notExists(parent)) {
      throw new CommandFailed("'" + parent + "' does not exist; name a directory that does");
    }
    if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
      throw new CommandFailed("'" + parent + "' is not a writable directory; name another");
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
    ServerSize room = RingPlace.room(parent);
    try {
      return size == null ? DemoPlan.fitting(room) : DemoPlan.sized(size.bytes(), room);
    } catch (DemoPlan.NoRoom none) {
      throw new CommandFailed(String.valueOf(none.getMessage()), none);
    }
  }

  /** True when everything acknowledged was found. */
  private boolean run(DemoPlan plan, RingPlace place, DemoReport report) {
    report.planned(plan, place);
    Behind behind = behind(plan, place, report);
    DrainSpec drain = new DrainSpec(behind.scheme + behind.drained, "request");
    RingShape shape = plan.ring().withDrain(drain);
    if (tls) shape = shape.withCertificates(ClusterCa.LIFETIME);
    LocalRing ring = place.hold(new LocalRing(shape, place.directory(), place.memory()));
    try {
      Files.createDirectories(behind.drained);
      Files.createDirectories(behind.direct);
      start(ring, report);
      warmUp(plan, ring, report);
      Burst burst = takeBurst(plan, ring, report);
      returnServer(burst, ring, report);
      report.held(ring.status());
      boolean sound = readBackAndDrain(burst, ring, behind.drained, report);
      place.stopRing();
      report.direct(writeDirectly(burst, behind, report));
      report.figures();
      return sound;
    } catch (IOException | StartFailed e) {
      if (place.ending()) throw new CommandFailed("interrupted", e);
      report.logLines(ring.lastLogLines());
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    }
  }

  /** The slow profile in front of directories of the disk, or directories of a slow device. */
  private Behind behind(DemoPlan plan, RingPlace place, DemoReport report) {
    if (!device) {
      report.behind(SlowShare.LABEL, "");
      return new Behind(
          SlowShare.SCHEME, place.directory().resolve(STORE), place.work().resolve("direct"));
    }
    // The burst goes there twice.
    long bytes = 2 * plan.burstBytes();
    try {
      long freeBytes = RingPlace.room(place.work()).memoryBytes() - plan.memoryBytes();
      boolean fits = freeBytes > 2 * LoopDevice.imageBytes(bytes);
      LoopDevice made = new LoopDevice(fits ? place.memory() : place.work(), place.work());
      place.closeAfterRing(made);
      made.mount(bytes);
      report.behind(made.label(), made.reason());
      Path files = made.directory();
      return new Behind("posix:", files.resolve(STORE), files.resolve("direct"));
    } catch (IOException e) {
      String why = place.ending() ? "interrupted" : e.getMessage() + "; leave out --device";
      throw new CommandFailed(why, e);
    }
  }

  private void start(LocalRing ring, DemoReport report) throws IOException, StartFailed {
    long startNanos = clock.nanos();
    try (Progress progress = report.progress(DemoReport.Step.START)) {
      progress.show();
      ring.start();
    }
    report.started(clock.nanos() - startNanos);
  }

  /** Not counted: a ring that has served for weeks is warm when a burst comes. */
  private void warmUp(DemoPlan plan, LocalRing ring, DemoReport report) throws IOException {
    long startNanos = clock.nanos();
    Burst burst = Burst.prepareWarmUp(plan, ring, new SplittableRandom().nextLong());
    try (Progress progress = report.progress(DemoReport.Step.WARM_UP)) {
      burst.begin();
      burst.crashed();
      await(ring, burst::isFinished, () -> show(progress, burst));
      burst.remove();
      // Dead data still takes room for a moment, and the measured burst begins in an empty ring.
      long removedNanos = clock.nanos();
      await(
          ring,
          () -> isEmpty(ring) || clock.nanos() - removedNanos > EMPTY_NANOS_MAX,
          () -> show(progress, burst));
    }
    report.warmedUp(burst.bytes(), clock.nanos() - startNanos);
  }

  private static boolean isEmpty(LocalRing ring) throws IOException {
    return ring.status().values().stream()
        .allMatch(seat -> seat.liveBytes() < DemoPlan.BURST_BYTES_MIN / DemoPlan.SERVERS);
  }

  /** The first part of the burst, until a server is killed. */
  private Burst takeBurst(DemoPlan plan, LocalRing ring, DemoReport report) throws IOException {
    Burst burst = Burst.prepare(plan, ring, new SplittableRandom().nextLong());
    await(ring, burst::isReady, () -> {});
    report.begun(plan);
    try (Progress progress = report.progress(DemoReport.Step.BURST)) {
      burst.begin();
      await(ring, burst::isCrashTime, () -> show(progress, burst));
    }
    long pid = ring.pid(VICTIM);
    ring.kill(VICTIM);
    report.killed(VICTIM, pid, burst.acknowledgedBytes(), burst.waitedNanos());
    burst.crashed();
    return burst;
  }

  /** Lets the others take the rest, then starts the server again, as an operator would. */
  private void returnServer(Burst burst, LocalRing ring, DemoReport report)
      throws IOException, StartFailed {
    long killedNanos = clock.nanos();
    try (Progress progress = report.progress(DemoReport.Step.WITHOUT)) {
      await(
          ring,
          () -> burst.isFinished() || clock.nanos() - killedNanos > AWAY_NANOS_MAX,
          () -> show(progress, burst));
    }
    report.away(burst, clock.nanos() - killedNanos);
    try (Progress progress = report.progress(DemoReport.Step.RETURN)) {
      progress.show();
      long startNanos = clock.nanos();
      ring.restart(VICTIM);
      report.restarted(VICTIM, clock.nanos() - startNanos, ring.status());
      await(ring, burst::isFinished, () -> show(progress, burst));
    }
    report.finished(burst, clock.nanos() - killedNanos);
  }

  /** The drain runs while every byte is read back; no rank waits for either. */
  private boolean readBackAndDrain(Burst burst, LocalRing ring, Path drained, DemoReport report)
      throws IOException {
    long startNanos = clock.nanos();
    try (Forebay client = Forebay.connect(ring.uri(), ring.operatorOptions())) {
      client.drain("/");
      boolean sound = readBack(burst, ring, report);
      try (Progress progress = report.progress(DemoReport.Step.DRAIN)) {
        client.awaitDurable(
            List.of("/"),
            DRAIN_PATIENCE,
            state -> show(progress, state.storedBytes(), state.bytes()));
      }
      long nanos = clock.nanos() - startNanos;
      long soundBytes = StoreCheck.soundBytes(burst, drained);
      report.drained(soundBytes, burst.bytes(), nanos);
      return sound && soundBytes == burst.bytes();
    }
  }

  private boolean readBack(Burst burst, LocalRing ring, DemoReport report) throws IOException {
    long startNanos = clock.nanos();
    long soundBytes;
    try (Progress progress = report.progress(DemoReport.Step.CHECK);
        ReadBack reader = ReadBack.open(burst, ring)) {
      soundBytes = reader.verify(bytes -> show(progress, bytes, burst.acknowledgedBytes()));
    }
    report.verified(soundBytes, burst.acknowledgedBytes(), clock.nanos() - startNanos);
    return soundBytes == burst.acknowledgedBytes();
  }

  private static long writeDirectly(Burst burst, Behind behind, DemoReport report)
      throws IOException {
    try (DirectWrite write = DirectWrite.begin(burst, behind.scheme + behind.direct);
        Progress progress = report.progress(DemoReport.Step.DIRECT)) {
      while (!write.isFinished()) {
        show(progress, write.writtenBytes(), burst.bytes());
        pause();
      }
      return write.waitedNanos();
    }
  }

  /** A condition to wait for; it may fail instead. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(LocalRing ring, Condition condition, Runnable meanwhile)
      throws IOException {
    while (!condition.holds()) {
      ring.requireAlive();
      meanwhile.run();
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void show(Progress progress, Burst burst) {
    show(progress, burst.acknowledgedBytes(), burst.bytes());
  }

  private static void show(Progress progress, long bytes, long totalBytes) {
    progress.update(
        bytes, totalBytes, ByteSize.format(bytes) + " of " + ByteSize.format(totalBytes));
  }
}
