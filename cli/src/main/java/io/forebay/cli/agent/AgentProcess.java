// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.agent;

import io.forebay.base.MonotonicClock;
import io.forebay.cli.mount.KernelMounts;
import io.forebay.client.link.ClusterLink;
import io.forebay.job.agent.AgentServer;
import io.forebay.job.cluster.ClusterJobs;
import io.forebay.job.library.LibraryCommand;
import io.forebay.job.service.StatusCommands;
import io.forebay.job.service.WlmCommands;
import io.forebay.mount.node.MountCommands;
import io.forebay.mount.node.NodeAgent;
import io.forebay.mount.node.NodeMounts;
import io.forebay.server.LocalProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /**
   * The settings of an agent.
   *
   * @param mountRoot mounts are made below it only
   * @param operators users that may act for others, besides root
   * @param forebay the words that run the {@code forebay} command
   * @param enrolment the agent's certificate by the cluster's own CA; null for none
   */
  record Config(
      String node,
      Path socket,
      Path mountRoot,
      ClusterJobs.Settings jobs,
      Set<String> operators,
      List<String> forebay,
      @Nullable AgentEnrolment enrolment) {
    Config {
      operators = Set.copyOf(operators);
      forebay = List.copyOf(forebay);
    }
  }

  /** What is closed last. */
  private record Closed(ClusterLink link, @Nullable AgentEnrolment enrolment) {}

  private final Closed last;
  private final ClusterJobs jobs;
  private final NodeAgent node;
  private final LibraryCommand library;
  private final AgentServer server;

  private AgentProcess(
      Closed last, ClusterJobs jobs, LibraryCommand library, NodeAgent node, AgentServer server) {
    this.last = last;
    this.jobs = jobs;
    this.library = library;
    this.node = node;
    this.server = server;
  }

  /** Starts it; the cluster need not be there yet. */
  static AgentProcess start(Config config, ClusterLink link) throws IOException {
    Files.createDirectories(config.mountRoot(), NodeMounts.DIRECTORY);
    ClusterJobs jobs = new ClusterJobs(link, config.jobs());
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
    NodeMounts mounts =
        new NodeMounts(
            config.mountRoot(),
            new MountCommands(
                config.forebay(),
                config.enrolment() == null ? Map.of() : config.enrolment().environment()),
            MonotonicClock.system());
    NodeAgent node = new NodeAgent(config.node(), config.mountRoot(), link, mounts);
    node.start();
    if (config.enrolment() != null) config.enrolment().start();
    return new AgentProcess(new Closed(link, config.enrolment()), jobs, library, node, server);
  }

  @Override
  public @Nullable String failure() {
    return null;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("closing the agent's socket failed: {}", e.toString());
    }
    node.close();
    library.close();
    jobs.close();
    last.link().close();
    if (last.enrolment() != null) last.enrolment().close();
  }
}
