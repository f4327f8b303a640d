// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.job;

import io.forebay.base.Timers;
import io.forebay.seat.manager.state.JobRules;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What agents reported of the mounts of their nodes. It is not part of the agreed state: agents
 * report again and again, so a manager that starts knows all of it within seconds.
 */
final class NodeReports {
  static final int NODES_MAX = Math.toIntExact(Limit.NODES.value());
  static final int MOUNTS_MAX = 2048;

  /** All texts of a report. */
  static final int REPORT_CHARS_MAX = 512 * 1024;

  private static final int PAGE_MAX = 500;

  /** All texts of a page: it is one message. */
  private static final long PAGE_CHARS_MAX = 512 * 1024;

  /** Nodes that are silent for longer make room for others. */
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private record Report(long nanos, List<Jobs.Mount> mounts, long refusedCallers) {}

  private final Timers timers;
  private final LimitCounts limits;
  private final TreeMap<String, Report> reports = new TreeMap<>();

  NodeReports(Timers timers, LimitCounts limits) {
    this.timers = timers;
    this.limits = limits;
  }

  /** Takes the newest report of a node; says why it cannot, or null. */
  Result.@Nullable Refused take(Jobs.ReportNode report) {
    if (report.who().user() != Identity.ROOT) {
      return new Result.Refused(
          ErrorCode.NOT_PERMITTED,
          "user %d cannot report for node '%s'; run the agent as root"
              .formatted(report.who().user(), report.node()));
    }
    if (!JobRules.isNode(report.node())) return JobRules.noNode(report.node());
    if (report.mounts().size() > MOUNTS_MAX || chars(report.mounts()) > REPORT_CHARS_MAX) {
      return new Result.Refused(
          ErrorCode.INVALID,
          "node '%s' reports %d mounts; at most %d are known"
              .formatted(report.node(), report.mounts().size(), MOUNTS_MAX));
    }
    if (!reports.containsKey(report.node()) && reports.size() >= NODES_MAX) {
      reports.values().removeIf(each -> timers.nanos() - each.nanos() > FORGOTTEN_NANOS);
    }
    if (!reports.containsKey(report.node()) && reports.size() >= NODES_MAX) {
      limits.reached(Limit.NODES);
      return new Result.Refused(
          ErrorCode.BUSY, "the manager knows %d nodes, and no more".formatted(NODES_MAX));
    }
    Report before =
        reports.put(
            report.node(), new Report(timers.nanos(), report.mounts(), report.refusedCallers()));
    if (before != null) countRefused(before.refusedCallers(), report.refusedCallers());
    return null;
  }

  /** Counts callers that the agent of a node has refused since its report before. */
  private void countRefused(long before, long now) {
    // An agent that was restarted counts from 0 again.
    long more = now < before ? now : now - before;
    if (more > 0) limits.reached(Limit.AGENT_CONNECTIONS, more);
  }

  private static long chars(List<Jobs.Mount> mounts) {
    long chars = 0;
    for (Jobs.Mount mount : mounts) chars += mount.directory().length() + mount.why().length();
    return chars;
  }

  /**
   * All nodes that have reported, in the order of their names, after the given one.
   *
   * @param visible which of their mounts are shown
   */
  Jobs.NodesAre after(String name, int max, Predicate<Jobs.Mount> visible) {
    List<Jobs.Node> nodes = new ArrayList<>();
    reports
        .tailMap(name, false)
        .forEach(
            (node, report) ->
                nodes.add(shown(node, report, report.mounts().stream().filter(visible).toList())));
    return page(nodes, max);
  }

  /** The nodes of a job, and others that still have mounts of it. */
  Jobs.NodesAre of(Jobs.Job job, String name, int max) {
    TreeSet<String> names = new TreeSet<>(job.nodes());
    reports.forEach(
        (node, report) -> {
          if (!mountsOf(job, report).isEmpty()) names.add(node);
        });
    List<Jobs.Node> nodes = new ArrayList<>();
    for (String node : names.tailSet(name, false)) {
      Report report = reports.get(node);
      nodes.add(
          report == null
              ? new Jobs.Node(node, -1, List.of())
              : shown(node, report, mountsOf(job, report)));
    }
    return page(nodes, max);
  }

  private static List<Jobs.Mount> mountsOf(Jobs.Job job, Report report) {
    return report.mounts().stream().filter(each -> isOf(job, each)).toList();
  }

  /** Whether a mount is one of a job. */
  static boolean isOf(Jobs.Job job, Jobs.Mount mount) {
    return !job.directory().isEmpty() && mount.directory().startsWith(job.directory() + "/");
  }

  private Jobs.Node shown(String node, Report report, List<Jobs.Mount> mounts) {
    long silentMillis = TimeUnit.NANOSECONDS.toMillis(timers.nanos() - report.nanos());
    return new Jobs.Node(node, silentMillis, mounts);
  }

  private static Jobs.NodesAre page(List<Jobs.Node> nodes, int max) {
    List<Jobs.Node> page = new ArrayList<>();
    long chars = 0;
    for (Jobs.Node node : nodes) {
      chars += node.name().length() + chars(node.mounts());
      boolean full = page.size() >= Math.min(max, PAGE_MAX) || chars > PAGE_CHARS_MAX;
      if (full && !page.isEmpty()) return new Jobs.NodesAre(page, true);
      page.add(node);
    }
    return new Jobs.NodesAre(page, false);
  }
}
