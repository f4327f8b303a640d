// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.base.ByteSize;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Scratch;
import io.forebay.bench.ior.IorCluster;
import io.forebay.bench.ior.IorLayout;
import io.forebay.bench.ior.IorOption;
import io.forebay.bench.ior.IorOutcome;
import io.forebay.bench.ior.IorPlan;
import io.forebay.bench.ior.IorRun;
import io.forebay.bench.ior.IorTarget;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.ForebayUri;
import io.forebay.ring.PlacementSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** IOR's workload with IOR's options, over a directory or over Forebay. */
@Command(
    name = "ior",
    sortOptions = false,
    description = "IOR's workload with IOR's options, over a directory or over Forebay.",
    footer = {
      "",
      "Sizes are such as 16k, 4m or 4MiB (powers of 1024), or 4MB (4,000,000 bytes).",
      "Exit codes: 0 it ran, 1 it failed or read wrong bytes, 2 wrong arguments.",
    })
final class IorCommand implements Callable<Integer> {
  private static final String TEST_FILE = "testFile";

  /** How tasks run. */
  enum Ranks {
    THREADS,
    PROCESSES
  }

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "-a",
      paramLabel = "API",
      description = "posix or forebay (default: ${DEFAULT-VALUE}).")
  private IorTarget.Api api = IorTarget.Api.FOREBAY;

  @Option(names = "-N", paramLabel = "N", description = "Tasks (default: ${DEFAULT-VALUE}).")
  private int tasks = 4;

  @Option(
      names = "--ranks",
      paramLabel = "HOW",
      description = "Tasks are threads or processes (default: ${DEFAULT-VALUE}).")
  private Ranks ranks = Ranks.THREADS;

  @Option(
      names = "-t",
      paramLabel = "SIZE",
      defaultValue = "256k",
      description = "Size of a transfer (default: ${DEFAULT-VALUE}).")
  private @Nullable ByteSize transfer;

  @Option(
      names = "-b",
      paramLabel = "SIZE",
      defaultValue = "1m",
      description = "Contiguous bytes of each task in a segment (default: ${DEFAULT-VALUE}).")
  private @Nullable ByteSize block;

  @Option(names = "-s", paramLabel = "N", description = "Segments (default: ${DEFAULT-VALUE}).")
  private int segments = 1;

  @Option(names = "-F", description = "A file per task.")
  private boolean filePerTask;

  @Option(names = "-z", description = "Transfers at random offsets.")
  private boolean random;

  @Option(names = "-w", description = "Write only, unless -r is given too.")
  private boolean write;

  @Option(names = "-r", description = "Read only, unless -w is given too.")
  private boolean read;

  @Option(names = "-W", description = "Compare what was written.")
  private boolean checkWrite;

  @Option(names = "-R", description = "Compare what was read.")
  private boolean checkRead;

  @Option(names = "-C", description = "Each task reads what the next one wrote.")
  private boolean reorder;

  @Option(names = "-e", description = "fsync before close.")
  private boolean fsync;

  @Option(names = "-Y", description = "fsync after each write.")
  private boolean fsyncPerWrite;

  @Option(names = "-g", description = "Barriers between open, write or read, and close.")
  private boolean barriers;

  @Option(names = "-i", paramLabel = "N", description = "Repetitions (default: ${DEFAULT-VALUE}).")
  private int iterations = 1;

  @Option(names = "-d", paramLabel = "SECONDS", description = "Pause between repetitions.")
  private int delaySeconds;

  @Option(
      names = "-o",
      paramLabel = "FILE",
      description =
          "The test file: a path, or forebay://HOST:PORT/INSTANCE/PATH. Without it, a folder or a"
              + " small cluster is made for the run.")
  private @Nullable String testFile;

  @Option(names = "-k", description = "Keep the test file.")
  private boolean keep;

  @Option(names = "-E", description = "Overwrite an existing test file.")
  private boolean existing;

  @Option(
      names = "--slow",
      description =
          "With -a posix: as slow as the slow profile, 0.5 ms per call + 200 MB/s for the whole"
              + " store.")
  private boolean slow;

  @ArgGroup(exclusive = false, heading = "The cluster that is started without -o:%n")
  private @Nullable Made made;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where folders for the run are made (default: the temporary folder).")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of all random choices (default: ${DEFAULT-VALUE}).")
  private long seed = 7;

  @Option(names = "--json", description = "Print JSON instead of tables.")
  private boolean json;

  /** Which cluster is started. */
  static final class Made {
    @Option(names = "--servers", paramLabel = "N", description = "Servers (default: 3).")
    private int servers = 3;

    @Option(names = "--copies", paramLabel = "K", description = "Copies (default: 2, or 1 of 1).")
    private @Nullable Integer copies;

    @Option(
        names = "--placement",
        paramLabel = "HOW",
        description = "ketama, isolated or stripes (default: ketama).")
    private PlacementSpec.Kind placement = PlacementSpec.Kind.KETAMA;

    @Option(names = "--forced", description = "Acknowledge only data that survives a power cut.")
    private boolean forced;

    IorCluster.Shape shape() {
      int number = copies != null ? copies : Math.min(2, servers);
      return new IorCluster.Shape(servers, number, placement, forced);
    }
  }

  @Override
  public Integer call() throws IOException {
    IorPlan plan;
    try {
      plan = plan();
      requireSense(plan);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    try {
      IorOutcome outcome = testFile == null ? runSomewhere(plan) : runThere(plan, target(testFile));
      return outcome.wrong() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    } catch (BenchmarkImpossible impossible) {
      throw new CommandFailed(String.valueOf(impossible.getMessage()), impossible);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new CommandFailed("interrupted", interrupt);
    }
  }

  private IorPlan plan() {
    if (transfer == null || block == null) throw new IllegalStateException("no sizes");
    if (transfer.bytes() > IorLayout.TRANSFER_BYTES_MAX) {
      throw new IllegalArgumentException(
          "transfer size (-t) must be at most " + ByteSize.format(IorLayout.TRANSFER_BYTES_MAX));
    }
    IorLayout layout =
        new IorLayout(
            tasks,
            block.bytes(),
            Math.toIntExact(transfer.bytes()),
            segments,
            filePerTask,
            random,
            seed);
    return new IorPlan(layout, options(), iterations, delaySeconds);
  }

  private Set<IorOption> options() {
    Set<IorOption> options = EnumSet.noneOf(IorOption.class);
    if (write) options.add(IorOption.WRITE);
    if (read) options.add(IorOption.READ);
    if (checkWrite) options.add(IorOption.CHECK_WRITE);
    if (checkRead) options.add(IorOption.CHECK_READ);
    if (reorder) options.add(IorOption.REORDER);
    if (fsync) options.add(IorOption.FSYNC);
    if (fsyncPerWrite) options.add(IorOption.FSYNC_PER_WRITE);
    if (barriers) options.add(IorOption.BARRIERS);
    if (keep) options.add(IorOption.KEEP);
    if (existing) options.add(IorOption.EXISTING);
    return options;
  }

  /** Refuses options without effect, and impossible values. */
  private void requireSense(IorPlan plan) {
    if (api == IorTarget.Api.SLOW) throw wrong("-a is posix or forebay; write -a posix --slow");
    if (slow && api != IorTarget.Api.POSIX) throw wrong("--slow is for -a posix");
    boolean madeHere = api == IorTarget.Api.FOREBAY && testFile == null;
    if (made != null && !madeHere) {
      throw wrong("--servers, --copies, --placement and --forced are for -a forebay without -o");
    }
    if (made != null) made.shape();
    if (testFile != null) return;
    if (keep) throw wrong("-k needs a file that -o names");
    if (existing) throw wrong("-E needs a file that -o names");
    if (!plan.options().contains(IorOption.WRITE)) {
      throw wrong("without -w an existing file is read: name it with -o");
    }
  }

  private IorOutcome runThere(IorPlan plan, IorTarget target)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(plan, target, () -> {});
  }

  private IorOutcome runSomewhere(IorPlan plan)
      throws IOException, InterruptedException, BenchmarkImpossible {
    if (api == IorTarget.Api.FOREBAY) {
      Made shape = made != null ? made : new Made();
      try (IorCluster cluster = IorCluster.start(shape.shape(), plan.layout(), directory)) {
        IorTarget target = new IorTarget(IorTarget.Api.FOREBAY, cluster.uri(), "/" + TEST_FILE);
        return run(plan, target, cluster::awaitEmpty);
      }
    }
    try (Scratch scratch = new Scratch(directory, plan.layout().totalBytes(), 0)) {
      String folder = scratch.onDevice("ior").toString();
      return runThere(plan, new IorTarget(directoryApi(), folder, TEST_FILE));
    }
  }

  private IorOutcome run(IorPlan plan, IorTarget target, IorRun.Between between)
      throws IOException, InterruptedException, BenchmarkImpossible {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    BenchProgress progress = new BenchProgress(spec.commandLine().getErr());
    try (IorRun run =
        ranks == Ranks.THREADS
            ? IorRun.ofThreads(plan, target)
            : IorRun.ofProcesses(plan, target, directory)) {
      IorOutcome outcome = run.run(between, progress);
      IorReport report = new IorReport(target, ranks, outcome);
      if (json) report.printJson(spec.commandLine().getOut(), seed);
      else report.print(spec.commandLine().getOut());
      return outcome;
    }
  }

  /** The location of a test file that the user named. */
  private IorTarget target(String name) throws IOException {
    if (api == IorTarget.Api.FOREBAY) return remote(name);
    if (name.startsWith(ForebayUri.SCHEME + ":")) {
      throw wrong("'" + name + "' is for -a forebay");
    }
    Path path = Path.of(name).toAbsolutePath();
    Path parent = path.getParent();
    if (parent == null || Files.isDirectory(path)) {
      throw wrong("'" + name + "' is a directory; name a file with -o");
    }
    if (!Files.isDirectory(parent)) throw new NoSuchFileException(parent.toString());
    return new IorTarget(directoryApi(), parent.toString(), String.valueOf(path.getFileName()));
  }

  private IorTarget remote(String name) {
    ForebayUri uri;
    try {
      uri = ForebayUri.parse(name);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (uri.instance().isEmpty() || uri.path().equals("/")) {
      throw wrong("'" + name + "' names no file; write forebay://HOST:PORT/INSTANCE/PATH");
    }
    String instance = new ForebayUri(uri.managers(), uri.instance(), "").toString();
    return new IorTarget(IorTarget.Api.FOREBAY, instance, uri.path());
  }

  private IorTarget.Api directoryApi() {
    return slow ? IorTarget.Api.SLOW : IorTarget.Api.POSIX;
  }

  private ParameterException wrong(String sentence) {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    return new ParameterException(spec.commandLine(), sentence);
  }
}
