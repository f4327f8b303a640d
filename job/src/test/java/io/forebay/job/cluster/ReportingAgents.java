// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.Cluster;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobMount;
import io.forebay.client.job.NodeMount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Agents of nodes that mount nothing, and report at once that everything is mounted. */
final class ReportingAgents implements AutoCloseable {
  private static final long ROUND_MILLIS = 50;

  private final Cluster cluster;
  private final List<String> nodes;
  private final Thread thread;
  private volatile boolean closed;

  ReportingAgents(String uri, List<String> nodes) throws IOException {
    this.cluster = Cluster.connect(uri);
    this.nodes = List.copyOf(nodes);
    this.thread = Thread.ofPlatform().daemon().name("agents").start(this::run);
  }

  private void run() {
    Map<String, List<NodeMount>> mounts = new HashMap<>();
    try {
      while (!closed) {
        for (String node : nodes) {
          List<NodeMount> known = mounts.getOrDefault(node, List.of());
          mounts.put(node, mountsOf(cluster.reportNode(node, known)));
        }
        TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
      }
    } catch (IOException | InterruptedException e) {
      if (!closed) throw new IllegalStateException("the agents cannot report", e);
    }
  }

  private List<NodeMount> mountsOf(List<Job> jobs) throws IOException {
    List<NodeMount> mounted = new ArrayList<>();
    for (Job job : jobs) {
      for (JobMount mount : JobMount.of(job, cluster.map())) {
        mounted.add(new NodeMount(mount.directory(), NodeMount.Standing.MOUNTED, ""));
      }
    }
    return mounted;
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    cluster.close();
  }
}
