// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.job;

import io.forebay.base.Timers;
import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.Decisions;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.InstanceRules;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Begins, shows and ends jobs while the manager serves, and tells nodes which jobs they have. */
public final class JobDesk {
  private final ManagerState state;
  private final Decisions decisions;
  private final NodeReports nodes;
  private final int defaultCopies;
  private final Function<Connection, String> agents;

  /**
   * Without any report of a node.
   *
   * @param agents the node whose agent has the other end of a connection; empty for other callers
   */
  public JobDesk(
      ManagerState state,
      Decisions decisions,
      Timers timers,
      int defaultCopies,
      Function<Connection, String> agents) {
    this.state = state;
    this.decisions = decisions;
    this.nodes = new NodeReports(timers);
    this.defaultCopies = defaultCopies;
    this.agents = agents;
  }

  /** Answers a request. */
  public void answer(Jobs.Request request, Caller caller) {
    switch (request) {
      case Jobs.BeginJob begin -> begin(begin, caller);
      case Jobs.GetJob get -> show(get, caller);
      case Jobs.ListJobs list -> list(list, caller);
      case Jobs.SetNodes set -> setNodes(set, caller);
      case Jobs.EndJob end -> end(end, caller);
      case Jobs.ReportNode report -> report(report, caller);
      case Jobs.ListNodes list -> listNodes(list, caller);
    }
  }

  private void begin(Jobs.BeginJob request, Caller caller) {
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
            request.directory(),
            Jobs.Phase.BEGUN,
            JobDigest.of(request, instance));
    propose(
        new Command.BeginJob(
            request.who().user(),
            job,
            instance,
            agents.apply(caller.connection()),
            request.credential()),
        caller,
        () -> show(new Jobs.GetJob(request.token()), caller));
  }

  private void show(Jobs.GetJob request, Caller caller) {
    Jobs.Job job = state.jobs().job(request.token());
    if (job == null) caller.fail(state.jobs().unknown(request.token()));
    else
      caller.answer(new Jobs.JobIs(job, state.epoch(), state.jobs().credential(request.token())));
  }

  private void list(Jobs.ListJobs request, Caller caller) {
    if (request.max() < 1) {
      caller.fail(ErrorCode.INVALID, "a page of " + request.max() + " jobs");
      return;
    }
    caller.answer(state.jobs().after(request.after(), request.max()));
  }

  private void setNodes(Jobs.SetNodes request, Caller caller) {
    propose(
        new Command.SetNodes(
            request.who().user(),
            request.token(),
            request.nodes(),
            agents.apply(caller.connection())),
        caller,
        caller::done);
  }

  private void end(Jobs.EndJob request, Caller caller) {
    propose(
        new Command.EndJob(request.who().user(), request.token(), request.hurry()),
        caller,
        caller::done);
  }

  private void report(Jobs.ReportNode report, Caller caller) {
    Result.Refused refused = nodes.take(report);
    if (refused != null) caller.fail(refused);
    else caller.answer(new Jobs.NodeJobs(state.jobs().on(report.node()), state.epoch()));
  }

  private void listNodes(Jobs.ListNodes request, Caller caller) {
    if (request.max() < 1) {
      caller.fail(ErrorCode.INVALID, "a page of " + request.max() + " nodes");
      return;
    }
    if (request.token().isEmpty()) {
      caller.answer(nodes.after(request.after(), request.max()));
      return;
    }
    Jobs.Job job = state.jobs().job(request.token());
    if (job == null) caller.fail(state.jobs().unknown(request.token()));
    else caller.answer(nodes.of(job, request.after(), request.max()));
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
