// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.NetcdfFiles;
import io.forebay.netcdf.agreement.Agreement;
import io.forebay.netcdf.bundle.cost.Calibration;
import io.forebay.netcdf.bundle.cost.SchemeChoice;
import io.forebay.netcdf.bundle.cost.StoreCosts;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.flow.Buffers;
import io.forebay.netcdf.bundle.flow.Elements;
import io.forebay.netcdf.bundle.flow.StepFiles;
import io.forebay.netcdf.bundle.flow.StepFlow;
import io.forebay.netcdf.bundle.flow.StepTimes;
import io.forebay.netcdf.bundle.memory.Memory;
import io.forebay.netcdf.bundle.memory.RankMemory;
import io.forebay.netcdf.bundle.partition.AggregationGroup;
import io.forebay.netcdf.bundle.partition.Partition;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.bundle.plan.Bounds;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.netcdf.bundle.verdict.Measures;
import io.forebay.netcdf.bundle.verdict.Outcome;
import io.forebay.netcdf.bundle.verdict.Verdict;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Several files that all ranks write together, step by step. Each bundle has a group of ranks of
 * its own, and the groups work side by side:
 *
 * <ol>
 *   <li>The ranks agree that their data is valid. This is the only collective call of a step.
 *   <li>{@link StepFlow} shuffles parts of planes to the groups, which gather and write them.
 *   <li>{@link Verdict} tells all ranks how it went.
 *   <li>The groups' roots give the files their final names, or remove them all.
 * </ol>
 *
 * If a step fails, every rank gets the same error, and no file has its final name. All calls are
 * collective, by each rank's own thread.
 */
public final class BundleSet implements AutoCloseable {
  /** Stands for the bundle's name in the names of files. */
  public static final String NAME_PLACE = "{bundle}";

  /** A group has another aggregator for each of this much. */
  private static final long AGGREGATOR_BYTES = 128 << 20;

  private static final long MARK_BASIS = 0xcbf29ce484222325L;
  private static final long MARK_PRIME = 0x100000001b3L;

  private final Group ranks;
  private final Agreement agreement;
  private final List<Bundle> bundles;
  private final List<BundleFiles> files;
  private final List<List<Block>> blocks;
  private final BundleOptions options;
  private final BundleGround ground;
  private final Bounds bounds;
  private final RankMemory memory;
  private final int[] nodes;
  private final Map<Scheme, StepPlan> plans = new EnumMap<>(Scheme.class);
  private @Nullable SchemeChoice choice;
  private @Nullable StepPlan buffered;
  private @Nullable Buffers buffers;
  private boolean closed;

  private BundleSet(Group ranks, Definitions defined, BundleOptions options, BundleGround ground) {
    this.ranks = ranks;
    this.options = options;
    this.ground = ground;
    agreement = new Agreement(ranks);
    bundles = defined.bundles;
    files = defined.files;
    blocks = defined.blocks;
    bounds = Bounds.of(options.memoryBytes());
    memory = new RankMemory(ground.memory(), options.memoryBytes());
    nodes = nodes(ranks);
  }

  /** Of each rank, its node. */
  private static int[] nodes(Group ranks) {
    int[] nodes = new int[ranks.size()];
    for (int rank = 0; rank < nodes.length; rank++) nodes[rank] = ranks.node(rank);
    return nodes;
  }

  /** What all ranks have agreed on. */
  private record Definitions(
      List<Bundle> bundles, List<BundleFiles> files, List<List<Block>> blocks) {}

  /**
   * Makes ranks ready to write bundles; collective.
   *
   * @param mine this rank's block of each grid, such as {@link
   *     io.forebay.netcdf.bundle.definition.Blocks#even}
   */
  public static BundleSet create(
      Group group, List<Bundle> bundles, Function<Grid, Block> mine, BundleOptions options)
      throws IOException {
    return create(group, bundles, mine, options, NetcdfFiles.standard());
  }

  /** The same with classic files on storage of the caller. */
  public static BundleSet create(
      Group group,
      List<Bundle> bundles,
      Function<Grid, Block> mine,
      BundleOptions options,
      NetcdfFiles netcdf)
      throws IOException {
    return create(group, bundles, mine, options, netcdf, System.getenv());
  }

  /**
   * The same in an environment of the caller.
   *
   * @param environment may have settings of the files, which count more than the options'
   */
  static BundleSet create(
      Group group,
      List<Bundle> bundles,
      Function<Grid, Block> mine,
      BundleOptions options,
      NetcdfFiles netcdf,
      Map<String, String> environment)
      throws IOException {
    List<BundleFiles> files = new ArrayList<>();
    BundleOptions inForce = options;
    IOException problem = null;
    try {
      inForce = options.withHints(options.hints().with(environment));
      for (Bundle bundle : bundles) files.add(StandardFiles.of(bundle, inForce, netcdf));
    } catch (NetcdfException e) {
      problem = e;
    }
    Function<Bundle, BundleFiles> made = bundle -> files.get(bundles.indexOf(bundle));
    BundleGround ground = new BundleGround(made, Memory.real(), MonotonicClock.system());
    return create(group, bundles, mine, inForce, ground, problem);
  }

  /** The same on files, memory and a clock of the caller. */
  public static BundleSet create(
      Group group,
      List<Bundle> bundles,
      Function<Grid, Block> mine,
      BundleOptions options,
      BundleGround ground)
      throws IOException {
    return create(group, bundles, mine, options, ground, null);
  }

  private static BundleSet create(
      Group group,
      List<Bundle> bundles,
      Function<Grid, Block> mine,
      BundleOptions options,
      BundleGround ground,
      @Nullable IOException problem)
      throws IOException {
    // Messages of bundles are not mistaken for the program's.
    Group ranks = group.split(0);
    try {
      DefinitionCheck check = new DefinitionCheck(ranks, bundles, nodes(ranks));
      List<Block> own = new ArrayList<>();
      IOException first = problem;
      for (Bundle bundle : bundles) {
        try {
          own.add(mine.apply(bundle.grid()));
        } catch (RuntimeException e) {
          // Told to all ranks, which would wait for this one.
          if (first == null) first = DefinitionCheck.blockProblem(bundle, e);
        }
      }
      check.requireSame(first, options);
      List<List<Block>> blocks = check.blocksOfAll(own);
      List<BundleFiles> files = new ArrayList<>();
      for (Bundle bundle : bundles) files.add(ground.files().apply(bundle));
      Definitions defined = new Definitions(List.copyOf(bundles), List.copyOf(files), blocks);
      return new BundleSet(ranks, defined, options, ground);
    } catch (IOException e) {
      // On all ranks.
      ranks.close();
      throw e;
    }
  }

  /**
   * Writes one step: a file for each bundle; collective. When it returns, every file has its final
   * name and is complete.
   *
   * @param names the files' names, with {@link #NAME_PLACE} where the bundle's name goes
   * @throws NetcdfException the same on all ranks; no file has its final name then, except with
   *     {@code OUT_OF_RANGE}, where values that did not fit became fill values
   */
  public StepReport write(String names, StepData data) throws IOException {
    requireOpen();
    List<Block> own = new ArrayList<>();
    List<ByteOrder> orders = new ArrayList<>();
    for (int i = 0; i < bundles.size(); i++) {
      own.add(blocks.get(i).get(ranks.rank()));
      orders.add(files.get(i).order());
    }
    ProgramElements elements = null;
    NetcdfException problem = namesProblem(names);
    try {
      elements = ProgramElements.of(data, bundles, own, orders);
    } catch (NetcdfException e) {
      problem = e;
    }
    agree(names, problem);
    if (elements == null) throw new IllegalStateException("ranks agreed on nothing");
    return write(names, elements, elements::outOfRange);
  }

  /** The same with elements that the caller packs. */
  public StepReport write(String names, Elements elements) throws IOException {
    requireOpen();
    agree(names, namesProblem(names));
    return write(names, elements, () -> null);
  }

  private void requireOpen() {
    if (closed) throw new IllegalStateException("these bundles are closed; create them again");
  }

  private @Nullable NetcdfException namesProblem(String names) {
    if (bundles.size() == 1 || names.contains(NAME_PLACE)) return null;
    return new NetcdfException(
        NetcdfError.BAD_NAME,
        "'%s' is one name for %d bundles; write %s where the bundle's name goes"
            .formatted(names, bundles.size(), NAME_PLACE));
  }

  /** Before the first step the ranks also agree on what the choice of a scheme rests on. */
  private void agree(String names, @Nullable NetcdfException problem) throws IOException {
    long mark = mark(names);
    if (choice != null || options.scheme().isPresent()) {
      requireSameNames(names, agreement.reach(problem, mark, -mark));
      return;
    }
    Calibration calibration =
        new Calibration(ranks, ground.memory(), ground.clock(), nodes, schemes());
    long[] measured = calibration.numbers(this::planOf, bundles.size());
    long[] told = Arrays.copyOf(measured, measured.length + 2);
    told[measured.length] = mark;
    told[measured.length + 1] = -mark;
    long[] highest = agreement.reach(problem, told);
    requireSameNames(names, Arrays.copyOfRange(highest, measured.length, highest.length));
    long bytes = 0;
    for (Bundle bundle : bundles) bytes += bundle.planeBytes();
    choice = calibration.choice(highest, bundles.size(), bytes);
  }

  /** The schemes to choose from; without merging those that have a group for each bundle. */
  private List<Scheme> schemes() {
    return Arrays.stream(Scheme.values())
        .filter(each -> options.merging() || bundles.size() <= Partition.groupsMax(each, nodes))
        .toList();
  }

  /** A number that differs for different names: 64 bits, by FNV-1a. */
  private static long mark(String names) {
    long mark = MARK_BASIS;
    for (byte each : names.getBytes(StandardCharsets.UTF_8)) mark = (mark ^ each) * MARK_PRIME;
    return mark;
  }

  /**
   * Throws on all ranks if names differ.
   *
   * @param highest the highest of all ranks' marks, and the highest of their negatives
   */
  private void requireSameNames(String names, long[] highest) throws NetcdfException {
    if (highest[0] == -highest[1]) return;
    byte[] own = names.getBytes(StandardCharsets.UTF_8);
    String first = new String(ranks.broadcast(own, 0), StandardCharsets.UTF_8);
    agreement.reach(
        first.equals(names)
            ? null
            : new NetcdfException(
                NetcdfError.RANKS_DIFFER,
                "the files of this step are named '%s', and on rank 0 '%s'; give all ranks one name"
                    .formatted(names, first)));
  }

  /** Why elements were not written as they were; null if they were. */
  private interface LateProblem {
    @Nullable IOException get();
  }

  private StepReport write(String names, Elements elements, LateProblem late) throws IOException {
    List<String> all = new ArrayList<>();
    for (Bundle bundle : bundles) all.add(names.replace(NAME_PLACE, bundle.name()));
    StepPlan plan = nextPlan();
    Map<Scheme, Long> expected = choice == null ? Map.of() : Map.copyOf(choice.expectedNanos());
    long start = ground.clock().nanos();
    StepFlow.Material material =
        new StepFlow.Material(buffersOf(plan), elements, new StepFiles.Wanted(bundles, files, all));
    StepFlow flow = new StepFlow(ranks, plan, material, ground.clock());
    Outcome outcome = settle(flow, plan, start, late);
    Measures measures = outcome.measures();
    // The time of a step that failed says nothing about its scheme.
    if (choice != null && !outcome.isFatal()) {
      choice.measured(plan.scheme(), measures.totalNanos(), StoreCosts.of(measures.store()));
    }
    NetcdfException failure = outcome.failure();
    if (failure != null) throw failure;
    return report(plan.scheme(), expected, measures);
  }

  /** Carries out a step, and gives the files their final names if all of it went well. */
  private Outcome settle(StepFlow flow, StepPlan plan, long start, LateProblem late) {
    StepFiles written = flow.files();
    try {
      StepTimes times = flow.run();
      Verdict verdict = new Verdict(ranks, plan);
      Outcome outcome = verdict.reach(outcome(start, written, times, late));
      if (outcome.isFatal()) {
        written.discard();
        return outcome;
      }
      written.commit();
      // The times are those before ranks waited for each other.
      Outcome committed = outcome.then(verdict.reach(outcome(start, written, times, late)));
      // Other roots may have renamed theirs by then: those files are whole.
      if (committed.isFatal()) written.discard();
      return committed;
    } catch (RuntimeException | Error e) {
      written.abandon();
      throw e;
    }
  }

  private Outcome outcome(long start, StepFiles written, StepTimes times, LateProblem late) {
    IOException failure = written.failure();
    return Outcome.of(
        ranks.rank(),
        failure != null ? failure : late.get(),
        new Measures(
            ground.clock().nanos() - start, times, written.storeUse(), memory.totalBytes()));
  }

  private static StepReport report(Scheme scheme, Map<Scheme, Long> expected, Measures measures) {
    StepTimes times = measures.times();
    return new StepReport(
        scheme,
        expected,
        measures.totalNanos(),
        times.createNanos(),
        times.shuffleNanos(),
        times.aggregateNanos(),
        times.writeNanos(),
        measures.memoryBytes());
  }

  private StepPlan nextPlan() {
    return planOf(choice == null ? options.scheme().orElseThrow() : choice.next());
  }

  private StepPlan planOf(Scheme scheme) {
    return plans.computeIfAbsent(
        scheme, wanted -> StepPlan.of(wanted, nodes, bundles, blocks, bounds, this::aggregators));
  }

  private int aggregators(AggregationGroup group) {
    long bytes = 0;
    int max = group.size();
    for (int bundle : group.bundles()) {
      bytes += bundles.get(bundle).planeBytes();
      max = Math.min(max, files.get(bundle).writersMax());
    }
    long wanted = options.aggregators() > 0 ? options.aggregators() : 1 + bytes / AGGREGATOR_BYTES;
    return (int) Math.min(max, wanted);
  }

  private Buffers buffersOf(StepPlan plan) {
    if (buffers == null || !plan.equals(buffered)) {
      buffers = new Buffers(plan, bounds, ranks.rank(), memory);
      buffered = plan;
    }
    return buffers;
  }

  /** Gives up memory and the group; collective. Closing again does nothing. */
  @Override
  public void close() {
    if (closed) return;
    closed = true;
    buffers = null;
    memory.close();
    ranks.close();
  }
}
