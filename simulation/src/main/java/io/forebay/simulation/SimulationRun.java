package io.forebay.simulation;

import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.simulation.history.History;
import io.forebay.simulation.history.HistoryChecker;
import io.forebay.simulation.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One seed: a cluster, several users, and what is wrong with what they saw. */
public final class SimulationRun {
  private static final long SECOND = 1_000_000_000L;
  private static final String INSTANCE = "simulated";

  /**
   * What came out.
   *
   * @param operations that ended well
   * @param failed operations that did not
   * @param problems nothing, if all is well
   */
  public record Outcome(
      long seed,
      long operations,
      long failed,
      long simulatedNanos,
      long steps,
      long traceHash,
      List<String> problems) {}

  private final WorldOptions options;
  private final int users;
  private final long seed;
  private final World world;
  private final History history = new History();

  public SimulationRun(WorldOptions options, int users, long seed) {
    this.options = options;
    this.users = users;
    this.seed = seed;
    this.world = new World(options, seed);
  }

  public World world() {
    return world;
  }

  /** Runs until so many operations have ended well, and checks everything. */
  public Outcome run(int operations, boolean forced) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x5deece66dL);
    List<String> problems = new ArrayList<>();
    List<SimulatedUser> all = new ArrayList<>();
    RecordAudit audit = new RecordAudit(world);
    AcknowledgementAudit acknowledgements = new AcknowledgementAudit(world);
    world.start();
    int instance = makeInstance(forced);
    SimulatedUser.Values values = new SimulatedUser.Values();
    for (int i = 1; i <= users; i++) {
      ClientNode node = new ClientNode(world, i, INSTANCE, random.split());
      world.add(node);
      SimulatedUser user =
          new SimulatedUser(world, node, i, instance, history, values, random.split());
      all.add(user);
      user.start(acknowledgements);
    }
    boolean progressed =
        world.runUntil(
            () -> {
              problems.addAll(audit.check());
              problems.addAll(acknowledgements.problems());
              return !problems.isEmpty() || sum(all) >= operations;
            },
            600 * SECOND);
    if (acknowledgements.count() == 0) problems.add("nothing was ever acknowledged");
    if (!progressed) problems.add("only " + sum(all) + " operations in ten simulated minutes");
    for (Violation violation : HistoryChecker.check(history)) problems.add(violation.toString());
    return new Outcome(
        seed,
        sum(all),
        all.stream().mapToLong(SimulatedUser::failed).sum(),
        world.nanos(),
        world.steps(),
        world.trace().hash(),
        problems);
  }

  private static long sum(List<SimulatedUser> users) {
    return users.stream().mapToLong(SimulatedUser::done).sum();
  }

  private int makeInstance(boolean forced) {
    Administrator administrator = new Administrator(world);
    administrator.createInstance(INSTANCE, options.copies(), forced);
    RingMap map = world.map();
    Instance made = map == null ? null : map.instance(INSTANCE);
    if (made == null) throw new IllegalStateException("the instance was not made");
    return made.id();
  }
}
