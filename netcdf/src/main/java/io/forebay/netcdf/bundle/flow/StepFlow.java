// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.parallel.Group;
import io.forebay.parallel.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One step of one rank. Its parts go on side by side, each as far as it can without waiting:
 *
 * <ol>
 *   <li>The files are created and opened ({@link StepFiles}).
 *   <li>This rank's parts of planes go to the members of all groups ({@link ShuffleOut}).
 *   <li>As a member, it receives parts of its group's planes ({@link PlaneIntake}, or {@link
 *       ShareIntake} where members hold shares).
 *   <li>It hands them to the group's aggregators ({@link GatherOut}).
 *   <li>As an aggregator, it receives windows ({@link GatherIn}) and writes them ({@link
 *       StepWriter}).
 * </ol>
 *
 * No part waits for a later part of another rank: sending waits for receivers' memory, which is
 * freed by writes, which wait for nothing.
 */
public final class StepFlow {
  private final Group ranks;
  private final MonotonicClock clock;
  private final StepFiles files;
  private final StepWriter writer;
  private final Part intake;
  private final List<Part> gathering;
  private final List<Part> shuffling;
  private StepTimes times = StepTimes.NONE;

  /** What a rank brings to a step. */
  public record Material(Buffers buffers, Elements elements, StepFiles.Wanted wanted) {}

  public StepFlow(Group ranks, StepPlan plan, Material material, MonotonicClock clock) {
    this.ranks = ranks;
    this.clock = clock;
    Position position = Position.of(ranks, plan);
    Buffers buffers = material.buffers;
    Elements elements = material.elements;
    files = new StepFiles(position, material.wanted, clock);
    writer = new StepWriter(position, files);
    Held held = new Held(buffers);
    intake =
        position.own().holdsShares()
            ? new ShareIntake(position, elements, held)
            : new PlaneIntake(position, elements, buffers, held);
    ShuffleOut out = new ShuffleOut(position, elements, new SendRing(buffers.shuffled()));
    GatherIn gatherIn = new GatherIn(position, elements, buffers, writer);
    SendRing gathered = new SendRing(buffers.gathered());
    GatherOut gatherOut =
        new GatherOut(position, elements, held, new GatherOut.Ways(gathered, writer, gatherIn));
    // What frees memory comes first.
    gathering = List.of(files, writer, gatherIn, gatherOut);
    shuffling = List.of(intake, out);
  }

  /** Carries out the step; returns when this rank's handles of files are closed. */
  public StepTimes run() {
    files.begin();
    List<Operation> pending = new ArrayList<>();
    long before = clock.nanos();
    while (!isDone()) {
      boolean any = advance(gathering);
      long gathered = clock.nanos();
      times = times.plusAggregate(gathered - before);
      any |= advance(shuffling);
      long waiting = clock.nanos();
      times = times.plusShuffle(waiting - gathered);
      before = waiting;
      if (any || isDone()) continue;
      pending.clear();
      for (Part part : gathering) part.pending(pending);
      for (Part part : shuffling) part.pending(pending);
      UnaryOperator<StepTimes> reason = reason(waiting);
      ranks.awaitAny(pending);
      times = reason.apply(times);
      before = clock.nanos();
    }
    long closing = clock.nanos();
    files.close();
    times = times.plusWrite(clock.nanos() - closing);
    return times;
  }

  private static boolean advance(List<Part> parts) {
    boolean any = false;
    for (Part part : parts) any |= part.advance();
    return any;
  }

  private boolean isDone() {
    return areDone(gathering) && areDone(shuffling);
  }

  private static boolean areDone(List<Part> parts) {
    for (Part part : parts) {
      if (!part.isDone()) return false;
    }
    return true;
  }

  /** What the rank waits for: the last of the reasons that there are. */
  private UnaryOperator<StepTimes> reason(long since) {
    if (writer.awaitsFiles()) return known -> known.plusCreate(clock.nanos() - since);
    if (writer.isWriting()) return known -> known.plusWrite(clock.nanos() - since);
    if (intake.isDone()) return known -> known.plusAggregate(clock.nanos() - since);
    return known -> known.plusShuffle(clock.nanos() - since);
  }

  /** The files of this rank's group. */
  public StepFiles files() {
    return files;
  }
}
