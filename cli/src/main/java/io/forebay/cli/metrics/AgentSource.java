// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.metrics;

import static io.forebay.metrics.Metric.counter;
import static io.forebay.metrics.Metric.gauge;

import io.forebay.client.job.NodeMount;
import io.forebay.job.agent.AgentServer;
import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.metrics.Source;
import io.forebay.mount.node.NodeAgent;
import java.util.List;
import java.util.Locale;

/** What the agent of a node tells. */
public final class AgentSource implements Source {
  private static final Metric CONNECTED =
      gauge("forebay_agent_connected", "Whether the manager answered in the last round.", "node");
  private static final Metric MOUNTS =
      gauge(
          "forebay_agent_mounts", "Mounts of the node's jobs, by how they stand.", "node", "state");
  private static final Metric FAILED =
      gauge("forebay_agent_mounts_failed", "Mounts that could not be made or removed.", "node");
  private static final Metric SERVED =
      counter("forebay_agent_calls_total", "Calls of batch systems and users.", "node");
  private static final Metric CALLERS =
      gauge("forebay_agent_callers", "Calls that are being served.", "node");
  private static final Metric REFUSED =
      counter("forebay_agent_refused_total", "Callers refused since there were too many.", "node");

  /** What this class tells. */
  public static final List<Metric> METRICS =
      List.of(CONNECTED, MOUNTS, FAILED, SERVED, CALLERS, REFUSED);

  private final String node;
  private final NodeAgent agent;
  private final AgentServer server;

  public AgentSource(String node, NodeAgent agent, AgentServer server) {
    this.node = node;
    this.agent = agent;
    this.server = server;
  }

  @Override
  public void collect(Samples to) {
    to.add(CONNECTED, agent.isConnected() ? 1 : 0, node);
    List<NodeMount> mounts = agent.standings();
    for (NodeMount.Standing each : NodeMount.Standing.values()) {
      long count = mounts.stream().filter(mount -> mount.standing() == each).count();
      to.add(MOUNTS, count, node, each.name().toLowerCase(Locale.ROOT));
    }
    to.add(FAILED, mounts.stream().filter(each -> !each.why().isEmpty()).count(), node);
    to.add(SERVED, server.served(), node);
    to.add(CALLERS, server.callers(), node);
    to.add(REFUSED, server.refused(), node);
  }
}
