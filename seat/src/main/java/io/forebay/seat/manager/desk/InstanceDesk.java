// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.InstanceRules;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Creates, resizes and destroys instances, and sets up pools, while the manager serves. */
public final class InstanceDesk {
  private final ManagerState state;
  private final Decisions decisions;
  private final int defaultCopies;
  private final LimitCounts limits;

  /** The groups that have nothing more to drain, of each instance that ends; homes say it again. */
  private final Map<Integer, TreeSet<GroupId>> drained = new TreeMap<>();

  public InstanceDesk(
      ManagerState state, Decisions decisions, int defaultCopies, LimitCounts limits) {
    this.limits = limits;
    this.state = state;
    this.decisions = decisions;
    this.defaultCopies = defaultCopies;
  }

  /** Another manager has led before: homes report to this one again. */
  public void takeOver() {
    drained.clear();
  }

  /** Repeats the answer of a change that was done before; returns whether it was. */
  private boolean answeredBefore(long op, Caller caller) {
    Result before = state.answered(op);
    if (before != null) answer(before, caller);
    return before != null;
  }

  public void create(Maps.CreateInstance request, Caller caller) {
    switch (InstanceRules.parse(request, defaultCopies, state.defaultProtection(request))) {
      case InstanceRules.Parsed.Not not -> caller.fail(not.why());
      case InstanceRules.Parsed.Understood understood -> {
        if (answeredBefore(request.op(), caller)) return;
        if (understood.command().lifetime() == Instance.Lifetime.JOB) {
          caller.fail(
              ErrorCode.INVALID,
              "an instance of lifetime job is made with its job; use 'forebay job begin TOKEN --capacity SIZE'");
          return;
        }
        Result.Refused refused = state.check(understood.command());
        boolean more = InstanceRules.isShareUsedUp(understood.command().owner(), state.map());
        if (refused != null && more) limits.reached(Limit.INSTANCES_PER_USER);
        if (refused != null && InstanceRules.isFull(state.map())) limits.reached(Limit.MAP);
        if (refused != null) caller.fail(refused);
        else propose(understood.command(), request.name(), caller);
      }
    }
  }

  /**
   * Destroys an instance.
   *
   * @param discards whether at once, regardless of its policy
   */
  public void destroy(Maps.DestroyInstance request, boolean discards, Caller caller) {
    // First, since another instance may have its name by now.
    if (answeredBefore(request.op(), caller)) return;
    Instance instance = state.map().instance(request.name());
    if (instance == null) {
      caller.fail(unknown(request.name()));
      return;
    }
    int user = request.who().user();
    Result.Refused refused =
        discards ? state.checkDiscard(instance.id(), user) : state.checkEnd(instance.id(), user);
    Command command =
        discards
            ? new Command.DestroyInstance(request.op(), instance.id(), user)
            : new Command.EndInstance(request.op(), instance.id(), user);
    if (refused != null) caller.fail(refused);
    else propose(command, request.name(), caller);
  }

  /** Changes what the users of an instance may write. */
  public void protect(Maps.ProtectInstance request, Caller caller) {
    if (answeredBefore(request.op(), caller)) return;
    Instance instance = state.map().instance(request.name());
    if (instance == null) {
      caller.fail(unknown(request.name()));
      return;
    }
    int user = request.who().user();
    Result.Refused refused = state.checkProtect(instance.id(), user, request.protection());
    String protection = ProtectionPolicy.of(request.protection()).toString();
    Command command = new Command.ProtectInstance(request.op(), instance.id(), user, protection);
    if (refused != null) caller.fail(refused);
    else propose(command, request.name(), caller);
  }

  /** Changes which users an instance admits, and revokes all capabilities for it. */
  public void setAccess(Maps.SetAccess request, Caller caller) {
    if (answeredBefore(request.op(), caller)) return;
    Instance instance = state.map().instance(request.name());
    if (instance == null) {
      caller.fail(unknown(request.name()));
      return;
    }
    Command.SetAccess command =
        new Command.SetAccess(
            request.op(), instance.id(), request.who().user(), request.permit(), request.root());
    Result.Refused refused = state.check(command);
    if (refused != null) caller.fail(refused);
    else propose(command, request.name(), caller);
  }

  /** Gives an instance another capacity. */
  public void resize(Maps.ResizeInstance request, Caller caller) {
    if (answeredBefore(request.op(), caller)) return;
    Instance instance = state.map().instance(request.name());
    if (instance == null) {
      caller.fail(unknown(request.name()));
      return;
    }
    Command.ResizeInstance command =
        new Command.ResizeInstance(
            request.op(), instance.id(), request.who().user(), request.capacityBytes());
    Result.Refused refused = state.check(command);
    if (refused != null) caller.fail(refused);
    else propose(command, request.name(), caller);
  }

  private static Result.Refused unknown(String name) {
    return new Result.Refused(
        ErrorCode.NOT_FOUND,
        "there is no instance '" + name + "'; 'forebay instance list' shows them");
  }

  /** The home of a tree says whether the tree fits a smaller capacity. */
  public void resized(Maps.TreeResized report, Caller caller) {
    Instance instance = state.map().instance(report.instance());
    Group group = state.map().group(report.group());
    boolean counts =
        instance != null
            && instance.rootGroup().equals(report.group())
            && group != null
            && group.epoch() == report.epoch();
    caller.done();
    if (!counts) return;
    decisions.propose(
        new Command.SettleResize(report.instance(), report.capacityBytes(), report.fits()),
        result -> {},
        why -> {});
  }

  /** Changes the settings of a pool. */
  public void setPool(Maps.SetPool request, Caller caller) {
    Pool before = state.map().pool(request.name());
    if (request.granuleBytes() < 0 || request.userBytesMax() < -1) {
      caller.fail(ErrorCode.INVALID, "pool '" + request.name() + "' cannot have sizes below 0");
      return;
    }
    long granuleBytes = before == null ? 1 : before.granuleBytes();
    long userBytesMax = before == null ? 0 : before.userBytesMax();
    String protection = before == null ? "" : before.protection();
    Command.SetPool command =
        new Command.SetPool(
            new Pool(
                request.name(),
                request.granuleBytes() == 0 ? granuleBytes : request.granuleBytes(),
                request.userBytesMax() < 0 ? userBytesMax : request.userBytesMax(),
                request.protection().isEmpty() ? protection : request.protection().getFirst()),
            request.who().user());
    Result.Refused refused = state.check(command);
    if (refused != null) {
      caller.fail(refused);
      return;
    }
    decisions.propose(
        command,
        result -> answer(result, caller),
        why -> caller.fail(ErrorCode.UNAVAILABLE, "pool '" + request.name() + "': " + why));
  }

  /** A home has nothing of an instance that ends any more: once all have said so, it goes. */
  public void drained(Maps.TreesDrained report, Caller caller) {
    Instance instance = state.map().instance(report.instance());
    Group group = state.map().group(report.group());
    boolean ends = instance != null && instance.drain().ending();
    boolean counts = ends && group != null && group.epoch() == report.epoch();
    if (counts)
      drained.computeIfAbsent(report.instance(), key -> new TreeSet<>()).add(report.group());
    caller.done();
    // Those that were discarded meanwhile.
    drained.keySet().removeIf(number -> state.map().instance(number) == null);
    if (!counts || instance == null) return;
    TreeSet<GroupId> clean = drained.getOrDefault(report.instance(), new TreeSet<>());
    boolean all =
        state.map().groups().stream()
            .filter(each -> mayHoldUp(each, instance))
            .allMatch(each -> clean.contains(each.id()));
    if (!all) return;
    drained.remove(report.instance());
    decisions.propose(new Command.InstanceDrained(report.instance()), result -> {}, why -> {});
  }

  /** Private trees are in any group; the only tree of a shared instance, in its root group. */
  private static boolean mayHoldUp(Group group, Instance instance) {
    if (!instance.hasPrivateTrees() && !InstanceRules.isDrainedAtEnd(instance)) {
      return group.id().equals(instance.rootGroup());
    }
    return group.id().copies() == instance.copies();
  }

  private void propose(Command command, String name, Caller caller) {
    decisions.propose(
        command,
        result -> answer(result, caller),
        why -> caller.fail(ErrorCode.UNAVAILABLE, "instance '" + name + "': " + why));
  }

  private void answer(Result result, Caller caller) {
    switch (result) {
      case Result.Done done -> caller.done();
      case Result.Made made -> caller.answer(new Maps.InstanceMade(made.instance(), state.epoch()));
      case Result.Refused refused -> caller.fail(refused);
    }
  }
}
