// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.agent;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.metrics.AgentSource;
import io.forebay.cli.metrics.DoorOptions;
import io.forebay.cli.mount.KernelMounts;
import io.forebay.client.host.LocalNode;
import io.forebay.client.link.ClusterLink;
import io.forebay.job.agent.AgentServer;
import io.forebay.job.batch.JobSweep;
import io.forebay.job.batch.SlurmQueue;
import io.forebay.job.cluster.ClusterJobs;
import io.forebay.job.library.LibraryCommand;
import io.forebay.job.service.StatusCommands;
import io.forebay.job.service.WlmCommands;
import io.forebay.mount.node.MountCommands;
import io.forebay.mount.node.NodeAgent;
import io.forebay.mount.node.NodeMounts;
import io.forebay.server.LocalProcess;
import io.forebay.server.StartFailed;
import io.forebay.server.metrics.MetricsOptions;
import io.forebay.server.metrics.MetricsService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of a node: it mounts what the jobs of the node need, and serves the programs of batch
 * systems and users on a socket. It holds no state. When it ends, mounts stay, and the next agent
 * goes on with them.
 */
final class AgentProcess implements LocalProcess {
  private static final Logger LOG = LoggerFactory.getLogger(AgentProcess.class);

  /** Found by the PATH. */
  private static final String SQUEUE = "squeue";

  private static final Duration CLUSTER_MAX = Duration.ofSeconds(4);

  /**
   * The settings of an agent.
   *
   * @param mountRoot mounts are made below it only
   * @param operators users that may act for others, besides root
   * @param slurm whether it asks Slurm which jobs there are, and ends those that Slurm has
   *     forgotten
   * @param forebay the words that run the {@code forebay} command
   * @param enrolment the agent's certificate by the cluster's own CA; null for none
   * @param metrics where monitoring systems read its metrics
   */
  record Config(
      String node,
      Path socket,
      Path mountRoot,
      ClusterJobs.Settings jobs,
      Set<String> operators,
      boolean slurm,
      List<String> forebay,
      @Nullable AgentEnrolment enrolment,
      MetricsOptions metrics) {
    Config {
      operators = Set.copyOf(operators);
      forebay = List.copyOf(forebay);
    }
  }

  /** What is closed last. */
  private record Closed(
      ClusterLink link, @Nullable AgentEnrolment enrolment, @Nullable MetricsService metrics) {}

  /** What serves programs. */
  private record Serving(ClusterJobs jobs, LibraryCommand library, AgentServer server) {}

  private final Closed last;
  private final Serving serving;
  private final NodeAgent node;
  private final @Nullable JobSweep sweep;

  private AgentProcess(Closed last, Serving serving, NodeAgent node, @Nullable JobSweep sweep) {
    this.last = last;
    this.serving = serving;
    this.node = node;
    this.sweep = sweep;
  }

  /** Starts it; the cluster need not be there yet. */
  static AgentProcess start(Config config, ClusterLink link) throws StartFailed, IOException {
    Files.createDirectories(config.mountRoot(), NodeMounts.DIRECTORY);
    ClusterJobs jobs = new ClusterJobs(link, config.jobs());
    // A batch system asks as soon as the socket is there, and then not for half a minute.
    jobs.awaitCluster(CLUSTER_MAX);
    LibraryCommand library = new LibraryCommand(new KernelMounts(), link.options());
    StatusCommands status = new StatusCommands(jobs, ZoneId.systemDefault());
    AgentServer server =
        AgentServer.start(
            config.socket(),
            Map.of(
                "dw_wlm_cli",
                new WlmCommands(jobs),
                "dwstat",
                status,
                "dwcli",
                status,
                LibraryCommand.PROGRAM,
                library),
            config.operators());
    LocalNode.record(config.socket(), config.node());
    NodeMounts mounts =
        new NodeMounts(
            config.mountRoot(),
            new MountCommands(
                config.forebay(),
                config.enrolment() == null ? Map.of() : config.enrolment().environment()),
            MonotonicClock.system());
    NodeAgent node =
        new NodeAgent(config.node(), config.mountRoot(), link, mounts, server::refused);
    node.start();
    if (config.enrolment() != null) config.enrolment().start();
    MetricsService metrics = metrics(config, node, server);
    JobSweep sweep =
        config.slurm() ? new JobSweep(jobs, new SlurmQueue(SQUEUE), JobSweep.PACE) : null;
    if (sweep != null) sweep.start();
    return new AgentProcess(
        new Closed(link, config.enrolment(), metrics),
        new Serving(jobs, library, server),
        node,
        sweep);
  }

  private static @Nullable MetricsService metrics(Config config, NodeAgent node, AgentServer server)
      throws StartFailed {
    try {
      return DoorOptions.open(
          "agent",
          config.metrics(),
          config.enrolment() == null ? null : config.enrolment().tls(),
          new AgentSource(config.node(), node, server));
    } catch (StartFailed e) {
      node.close();
      closeSocket(server);
      throw e;
    }
  }

  private static void closeSocket(AgentServer server) {
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("closing the agent's socket failed: {}", e.toString());
    }
  }

  @Override
  public @Nullable String failure() {
    return null;
  }

  @Override
  public void close() {
    if (last.metrics() != null) last.metrics().close();
    closeSocket(serving.server());
    if (sweep != null) sweep.close();
    node.close();
    serving.library().close();
    serving.jobs().close();
    last.link().close();
    if (last.enrolment() != null) last.enrolment().close();
  }
}
