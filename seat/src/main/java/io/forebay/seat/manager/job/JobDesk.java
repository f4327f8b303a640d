// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.job;

import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.Decisions;
import io.forebay.seat.manager.desk.DeskParts;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.InstanceRules;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Begins, shows and ends jobs while the manager serves, and tells nodes which jobs they have. */
public final class JobDesk {
  private final ManagerState state;
  private final Decisions decisions;
  private final NodeReports nodes;
  private final int defaultCopies;
  private final JobCallers callers;
  private final LimitCounts limits;

  /** Without any report of a node. */
  public JobDesk(DeskParts parts, int defaultCopies, JobCallers callers, LimitCounts limits) {
    this.state = parts.state();
    this.decisions = parts.decisions();
    this.nodes = new NodeReports(parts.timers(), limits);
    this.limits = limits;
    this.defaultCopies = defaultCopies;
    this.callers = callers;
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
    countShares(request, job);
    propose(
        new Command.BeginJob(
            request.who().user(),
            job,
            instance,
            callers.agentOf(caller.connection()),
            request.credential()),
        caller,
        () -> show(new Jobs.GetJob(request.token()), caller));
  }

  /** A request that comes beyond the share of its user is refused by the rules of jobs. */
  private void countShares(Jobs.BeginJob request, Jobs.Job job) {
    int user = request.who().user();
    if (state.jobs().job(request.token()) != null) return;
    if (state.jobs().lacksRoomFor(job)) limits.reached(Limit.JOBS);
    if (state.jobs().isShareUsedUp(user)) limits.reached(Limit.JOBS_PER_USER);
    boolean more = !request.instance().isEmpty();
    if (more && InstanceRules.isShareUsedUp(user, state.map())) {
      limits.reached(Limit.INSTANCES_PER_USER);
    }
  }

  private void show(Jobs.GetJob request, Caller caller) {
    Jobs.Job job = find(request.token(), caller);
    if (job == null) return;
    caller.answer(new Jobs.JobIs(job, state.epoch(), state.jobs().credential(request.token())));
  }

  /** The job of that token; null if the caller was told why it is not shown. */
  private Jobs.@Nullable Job find(String token, Caller caller) {
    Jobs.Job job = state.jobs().job(token);
    if (job == null) {
      caller.fail(state.jobs().unknown(token));
      return null;
    }
    if (callers.sees(caller.connection(), job)) return job;
    caller.fail(
        ErrorCode.NOT_PERMITTED,
        "job '%s' belongs to user %s; only that user and operators see it"
            .formatted(token, Integer.toUnsignedString(job.user())));
    return null;
  }

  private void list(Jobs.ListJobs request, Caller caller) {
    if (request.max() < 1) {
      caller.fail(ErrorCode.INVALID, "a page of " + request.max() + " jobs");
      return;
    }
    caller.answer(
        state
            .jobs()
            .after(request.after(), request.max(), job -> callers.sees(caller.connection(), job)));
  }

  private void setNodes(Jobs.SetNodes request, Caller caller) {
    propose(
        new Command.SetNodes(
            request.who().user(),
            request.token(),
            request.nodes(),
            callers.agentOf(caller.connection())),
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
      caller.answer(nodes.after(request.after(), request.max(), shown(caller)));
      return;
    }
    Jobs.Job job = find(request.token(), caller);
    if (job != null) caller.answer(nodes.of(job, request.after(), request.max()));
  }

  /** The mounts that a caller sees: those of jobs that it sees. */
  private Predicate<Jobs.Mount> shown(Caller caller) {
    Connection connection = caller.connection();
    if (callers.seesAll(connection)) return mount -> true;
    List<Jobs.Job> seen =
        state.jobs().all().stream().filter(job -> callers.sees(connection, job)).toList();
    return mount -> seen.stream().anyMatch(job -> NodeReports.isOf(job, mount));
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
