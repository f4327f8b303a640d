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

  void create(Maps.CreateInstance request, Caller caller) {
    switch (InstanceRules.parse(request, defaultCopies)) {
      case InstanceRules.Parsed.Not not -> caller.fail(not.why());
      case InstanceRules.Parsed.Understood understood -> {
        Result.Refused refused = state.check(understood.command());
        if (refused != null) caller.fail(refused);
        else propose(understood.command(), request.name(), caller);
      }
    }
  }

  void destroy(Maps.DestroyInstance request, Caller caller) {
    Instance instance = state.map().instance(request.name());
    if (instance == null) {
      caller.fail(
          ErrorCode.NOT_FOUND,
          "there is no instance '" + request.name() + "'; 'forebay instance list' shows them");
      return;
    }
    Command.DestroyInstance command =
        new Command.DestroyInstance(instance.id(), request.who().user());
    Result.Refused refused = state.check(command);
    if (refused != null) caller.fail(refused);
    else propose(command, request.name(), caller);
  }

  private void propose(Command command, String name, Caller caller) {
    decisions.propose(
        command,
        result -> {
          switch (result) {
            case Result.Done done -> caller.done();
            case Result.Made made ->
                caller.answer(new Maps.InstanceMade(made.instance(), state.epoch()));
            case Result.Refused refused -> caller.fail(refused);
          }
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, "instance '" + name + "': " + why));
  }
}
