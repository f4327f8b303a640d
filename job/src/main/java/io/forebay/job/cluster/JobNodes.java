// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.Cluster;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobMount;
import io.forebay.client.job.Node;
import io.forebay.client.job.NodeMount;
import io.forebay.client.link.ClusterLink;
import io.forebay.job.service.JobFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of jobs. It tells the manager on which nodes a job runs, and waits until their agents
 * report what they mounted or unmounted.
 */
final class JobNodes {
  /** Starting a mount takes seconds on a busy node. */
  private static final Duration ATTACH_MAX = Duration.ofSeconds(100);

  /** Longer than an agent waits before it detaches a mount that programs still use. */
  private static final Duration DETACH_MAX = Duration.ofSeconds(60);

  /** How long an agent may need to report after it, or the manager, was started. */
  private static final Duration FIRST_REPORT_MAX = Duration.ofSeconds(15);

  private static final int NAMED_MAX = 3;

  private final ClusterLink link;

  JobNodes(ClusterLink link) {
    this.link = link;
  }

  /** Names the nodes, and waits until all of them have all mounts of the job. */
  void attach(Job job, List<String> names) throws IOException, JobFailed {
    Cluster cluster = link.get();
    cluster.setNodes(job.token(), names);
    List<JobMount> mounts = JobMount.of(job, cluster.map());
    Pause pause = new Pause(ATTACH_MAX);
    Pause reports = new Pause(FIRST_REPORT_MAX);
    while (true) {
      Map<String, Node> known = new HashMap<>();
      for (Node node : cluster.nodes(job.token())) known.put(node.name(), node);
      List<String> missing = new ArrayList<>();
      boolean silent = false;
      for (String name : names) {
        Node node = known.get(name);
        String why = lacks(name, node, mounts);
        if (!why.isEmpty()) missing.add(why);
        silent |= node == null || !node.isHeard();
      }
      if (missing.isEmpty()) return;
      boolean goesOn = silent ? reports.next() : pause.next();
      if (!goesOn) throw new JobFailed(sentence(missing));
    }
  }

  /** Why a node is not ready, or empty if it is. */
  private static String lacks(String name, @Nullable Node node, List<JobMount> mounts) {
    if (node == null || !node.isHeard()) {
      return "node %s has no agent; start 'forebay agent --node %s' there".formatted(name, name);
    }
    for (JobMount wanted : mounts) {
      NodeMount here = null;
      for (NodeMount each : node.mounts()) {
        if (each.directory().equals(wanted.directory())) here = each;
      }
      if (here != null && here.standing() == NodeMount.Standing.MOUNTED) continue;
      String why = here == null || here.why().isEmpty() ? "it takes too long" : here.why();
      return "node %s has not mounted '%s': %s".formatted(name, wanted.directory(), why);
    }
    return "";
  }

  private static String sentence(List<String> missing) {
    String first = String.join("; ", missing.subList(0, Math.min(NAMED_MAX, missing.size())));
    int others = missing.size() - NAMED_MAX;
    return others > 0 ? first + "; and %d more nodes".formatted(others) : first;
  }

  /**
   * The job runs nowhere any more. Waits until no agent reports a mount of it. A node whose agent
   * is silent is not waited for: it is dead, or unmounts when its agent is back.
   */
  void detach(Job job) throws IOException {
    Cluster cluster = link.get();
    if (!job.nodes().isEmpty()) cluster.setNodes(job.token(), List.of());
    Pause pause = new Pause(DETACH_MAX);
    while (cluster.nodes(job.token()).stream().anyMatch(JobNodes::stillMounts) && pause.next()) {}
  }

  private static boolean stillMounts(Node node) {
    return node.isHeard()
        && node.mounts().stream().anyMatch(each -> each.standing() != NodeMount.Standing.COMING);
  }
}
