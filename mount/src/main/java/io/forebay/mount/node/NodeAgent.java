// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.node;

import io.forebay.client.Cluster;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobMount;
import io.forebay.client.job.NodeMount;
import io.forebay.client.link.ClusterLink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a node the mounts of the jobs that run on it, in rounds:
 *
 * <ol>
 *   <li>It reports to the manager how the mounts of the node stand, and learns which jobs the node
 *       has. If the manager does not answer, it goes on with the jobs that it knows.
 *   <li>It derives the mounts that these jobs should have.
 *   <li>It mounts and unmounts what differs.
 * </ol>
 *
 * Before the first answer of the manager it changes nothing: a mount that it finds may be in use.
 * It has a thread of its own. When it is closed, mounts stay; the next agent finds them.
 */
public final class NodeAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);

  private static final long ROUND_MILLIS = 1000;

  /** The pause while mounts come and go: a batch system waits for them. */
  private static final long BUSY_ROUND_MILLIS = 100;

  private final String node;
  private final Path root;
  private final ClusterLink link;
  private final NodeMounts mounts;
  private final LongSupplier refusedCallers;
  private final Thread thread;
  private volatile boolean closed;
  private @Nullable List<WantedMount> wanted;
  private List<NodeMount> refused = List.of();
  private volatile List<NodeMount> standings = List.of();
  private volatile String complaint = "";

  /**
   * An agent that has not begun.
   *
   * @param root mounts are made below it only
   * @param refusedCallers how many programs were refused because too many were served
   */
  public NodeAgent(
      String node, Path root, ClusterLink link, NodeMounts mounts, LongSupplier refusedCallers) {
    this.node = node;
    this.root = root.toAbsolutePath().normalize();
    this.link = link;
    this.mounts = mounts;
    this.refusedCallers = refusedCallers;
    this.thread = Thread.ofPlatform().daemon().name("agent-mounts").unstarted(this::run);
  }

  /** Begins with the rounds. */
  public void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        round();
        TimeUnit.MILLISECONDS.sleep(isBusy() ? BUSY_ROUND_MILLIS : ROUND_MILLIS);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("a round of the agent of node '{}' failed", node, e);
        if (!pauseAfterError()) return;
      }
    }
  }

  /** Returns whether the agent goes on. */
  private boolean pauseAfterError() {
    try {
      TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Whether mounts come or go, and have not failed. */
  private boolean isBusy() {
    return standings.stream()
        .anyMatch(each -> each.standing() != NodeMount.Standing.MOUNTED && each.why().isEmpty());
  }

  /** How its mounts stand; of the last round. */
  public List<NodeMount> standings() {
    return List.copyOf(standings);
  }

  /** Whether the manager answered in the last round. */
  public boolean isConnected() {
    return complaint.isEmpty();
  }

  private void round() {
    try {
      Cluster cluster = link.get();
      List<Job> jobs = cluster.reportNode(node, standings, refusedCallers.getAsLong());
      derive(jobs, cluster);
      complain("");
    } catch (IOException e) {
      complain("the jobs of node '%s' are not known: %s".formatted(node, e.getMessage()));
    }
    if (wanted == null) return;
    try {
      List<NodeMount> now = new ArrayList<>(refused);
      for (MountStanding each : mounts.keep(wanted)) now.add(of(each));
      standings = now;
    } catch (IOException e) {
      LOG.warn("the mounts of this node cannot be read: {}", e.toString());
    }
  }

  private void complain(String sentence) {
    if (!sentence.isEmpty() && !sentence.equals(complaint)) LOG.warn("{}", sentence);
    if (sentence.isEmpty() && !complaint.isEmpty()) LOG.info("the manager answers again");
    complaint = sentence;
  }

  private void derive(List<Job> jobs, Cluster cluster) throws IOException {
    List<WantedMount> mountable = new ArrayList<>();
    List<NodeMount> outside = new ArrayList<>();
    for (Job job : jobs) {
      for (JobMount mount : JobMount.of(job, cluster.map())) {
        Path directory = Path.of(mount.directory());
        if (directory.startsWith(root) && !directory.equals(root)) {
          mountable.add(
              new WantedMount(link.instanceUri(mount.instance()), directory, options(mount)));
        } else {
          outside.add(
              new NodeMount(
                  mount.directory(),
                  NodeMount.Standing.COMING,
                  "node '%s' mounts below '%s' only; begin jobs with a directory there"
                      .formatted(node, root)));
        }
      }
    }
    wanted = mountable;
    refused = outside;
  }

  /** A private tree is that of this node, whatever the host is called. */
  private String options(JobMount mount) {
    String options =
        "node=%s,mount-user=%s:%s"
            .formatted(
                node,
                Integer.toUnsignedString(mount.user().user()),
                Integer.toUnsignedString(mount.user().primaryGroup()));
    return mount.kind() == JobMount.Kind.PRIVATE ? "private," + options : options;
  }

  /** Jobs name directories below the root as it was given. */
  private NodeMount of(MountStanding standing) {
    NodeMount.Standing stands =
        switch (standing.state()) {
          case MOUNTED -> NodeMount.Standing.MOUNTED;
          case COMING -> NodeMount.Standing.COMING;
          case GOING -> NodeMount.Standing.GOING;
        };
    Path place = root.resolve(mounts.root().relativize(standing.directory()));
    return new NodeMount(place.toString(), stands, standing.why());
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    mounts.close();
  }
}
