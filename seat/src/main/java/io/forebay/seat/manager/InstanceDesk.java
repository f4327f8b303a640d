package io.forebay.seat.manager;

import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;

/** Makes and destroys instances while the manager serves. */
final class InstanceDesk {
  private final ManagerState state;
  private final Decisions decisions;
  private final int defaultCopies;

  InstanceDesk(ManagerState state, Decisions decisions, int defaultCopies) {
    this.state = state;
    this.decisions = decisions;
    this.defaultCopies = defaultCopies;
  }

  /** Says what came of a change if it was done before; says whether it was. */
  private boolean answeredBefore(long op, Caller caller) {
    Result before = state.answered(op);
    if (before != null) answer(before, caller);
    return before != null;
  }

  void create(Maps.CreateInstance request, Caller caller) {
    switch (InstanceRules.parse(request, defaultCopies)) {
      case InstanceRules.Parsed.Not not -> caller.fail(not.why());
      case InstanceRules.Parsed.Understood understood -> {
        if (answeredBefore(request.op(), caller)) return;
        Result.Refused refused = state.check(understood.command());
        if (refused != null) caller.fail(refused);
        else propose(understood.command(), request.name(), caller);
      }
    }
  }

  void destroy(Maps.DestroyInstance request, Caller caller) {
    // First, as its name may be another's by now.
    if (answeredBefore(request.op(), caller)) return;
    Instance instance = state.map().instance(request.name());
    if (instance == null) {
      caller.fail(
          ErrorCode.NOT_FOUND,
          "there is no instance '" + request.name() + "'; 'forebay instance list' shows them");
      return;
    }
    Command.DestroyInstance command =
        new Command.DestroyInstance(request.op(), instance.id(), request.who().user());
    Result.Refused refused = state.check(command);
    if (refused != null) caller.fail(refused);
    else propose(command, request.name(), caller);
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
