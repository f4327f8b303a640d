// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.job;

import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.Decisions;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.InstanceRules;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;

/** Begins, shows and ends jobs while the manager serves. */
public final class JobDesk {
  private final ManagerState state;
  private final Decisions decisions;
  private final int defaultCopies;

  public JobDesk(ManagerState state, Decisions decisions, int defaultCopies) {
    this.state = state;
    this.decisions = decisions;
    this.defaultCopies = defaultCopies;
  }

  public void begin(Jobs.BeginJob request, Caller caller) {
    List<Command.CreateInstance> instance = new ArrayList<>();
    for (Maps.CreateInstance asked : request.instance()) {
      switch (InstanceRules.parse(asked, defaultCopies, state.defaultProtection(asked))) {
        case InstanceRules.Parsed.Not not -> {
          caller.fail(not.why());
          return;
        }
        case InstanceRules.Parsed.Understood understood -> instance.add(understood.command());
      }
    }
    Jobs.Job job =
        new Jobs.Job(
            request.token(),
            request.user(),
            request.group(),
            request.creator(),
            request.createdSeconds(),
            0,
            request.uses(),
            request.stages(),
            List.of(),
            Jobs.Phase.BEGUN,
            JobDigest.of(request, instance));
    propose(
        new Command.BeginJob(request.who().user(), job, instance),
        caller,
        () -> show(new Jobs.GetJob(request.token()), caller));
  }

  public void show(Jobs.GetJob request, Caller caller) {
    Jobs.Job job = state.jobs().job(request.token());
    if (job == null) caller.fail(state.jobs().unknown(request.token()));
    else caller.answer(new Jobs.JobIs(job, state.epoch()));
  }

  public void list(Jobs.ListJobs request, Caller caller) {
    if (request.max() < 1) {
      caller.fail(ErrorCode.INVALID, "a page of " + request.max() + " jobs");
      return;
    }
    caller.answer(state.jobs().after(request.after(), request.max()));
  }

  public void setNodes(Jobs.SetNodes request, Caller caller) {
    propose(
        new Command.SetNodes(request.who().user(), request.token(), request.nodes()),
        caller,
        caller::done);
  }

  public void end(Jobs.EndJob request, Caller caller) {
    propose(
        new Command.EndJob(request.who().user(), request.token(), request.hurry()),
        caller,
        caller::done);
  }

  /** Refuses what cannot be decided before it costs an entry of the log. */
  private void propose(Command.OfJobs command, Caller caller, Runnable done) {
    Result.Refused early = state.jobs().check(command);
    if (early != null) {
      caller.fail(early);
      return;
    }
    decisions.propose(
        command,
        result -> {
          if (result instanceof Result.Refused refused) caller.fail(refused);
          else done.run();
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, "a change of jobs was " + why));
  }
}
