// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.agent;

import io.forebay.cli.metrics.DoorOptions;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Running;
import io.forebay.client.ForebayOptions;
import io.forebay.client.enrol.EnvironmentTls;
import io.forebay.client.host.LocalIdentity;
import io.forebay.client.host.LocalNode;
import io.forebay.client.link.ClusterLink;
import io.forebay.job.cluster.ClusterJobs;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the agent of a node until Ctrl-C or a signal. */
@Command(
    name = AgentCommand.NAME,
    description = {
      "Run the agent of a compute node until Ctrl-C: it mounts what the jobs of the node need, and",
      "serves the programs of batch systems (dw_wlm_cli, dwstat, dwcli). Mounts outlive it."
    })
public final class AgentCommand implements Callable<Integer> {
  static final String NAME = "agent";

  private static final String MOUNT_ROOT_DEFAULT = "/mnt/forebay";
  private static final String CERTIFICATES_DEFAULT = "/var/lib/forebay/agent";
  private static final Address.Inet METRICS_LISTEN = new Address.Inet("127.0.0.1", 7092);
  private static final int COPIES_DEFAULT = 2;
  private static final int COPIES_MAX = 16;
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  @Spec private @Nullable CommandSpec spec;
  @Mixin private DoorOptions door = new DoorOptions();
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "The node's name in the batch system (default: the host name, up to a dot).")
  private @Nullable String node;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      defaultValue = LocalNode.SOCKET_DEFAULT,
      description = "Where programs reach it (default: ${DEFAULT-VALUE}).")
  private Path socket = Path.of(LocalNode.SOCKET_DEFAULT);

  @Option(
      names = "--mount-root",
      paramLabel = "DIR",
      defaultValue = MOUNT_ROOT_DEFAULT,
      description = "It mounts below this directory only (default: ${DEFAULT-VALUE}).")
  private Path mountRoot = Path.of(MOUNT_ROOT_DEFAULT);

  @Option(
      names = "--job-directory",
      paramLabel = "TEMPLATE",
      description = {
        "Where all nodes mount the instances of a job that begins through this agent;",
        "%%t is its token, %%u its user's number (default: MOUNT-ROOT/%%t)."
      })
  private @Nullable String jobDirectory;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "" + COPIES_DEFAULT,
      description =
          "How many servers keep each byte of jobs that begin here (default: ${DEFAULT-VALUE}).")
  private int copies = COPIES_DEFAULT;

  @Option(
      names = "--operators",
      paramLabel = "USER",
      split = ",",
      description =
          "Users that may begin and end jobs of others, besides root: Slurm's, if not root.")
  private Set<String> operators = new LinkedHashSet<>();

  @Option(
      names = "--slurm",
      description = {
        "Ask Slurm twice a minute which jobs it has, and end those that it has forgotten. For the",
        "agent on the machine of slurmctld; 'squeue' must work there."
      })
  private boolean slurm;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = {
        "A token of 'forebay token create --role agent', with --slurm '--role batch': the agent gets",
        "a certificate of the cluster's own CA. Needed once (default: the variable FOREBAY_TOKEN)."
      })
  private @Nullable String token;

  @Option(
      names = "--certificates",
      paramLabel = "DIR",
      defaultValue = CERTIFICATES_DEFAULT,
      description = "Where it keeps that certificate (default: ${DEFAULT-VALUE}).")
  private Path certificates = Path.of(CERTIFICATES_DEFAULT);

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (copies < 1 || copies > COPIES_MAX) {
      throw remote.wrong("--copies must be from 1 to " + COPIES_MAX);
    }
    if (LocalIdentity.current().user() != Identity.ROOT) {
      throw new CommandFailed("the agent mounts for all users; run it as root");
    }
    Path root = mountRoot.toAbsolutePath().normalize();
    String name = node == null ? hostName() : node;
    CertificateName holder = new CertificateName(slurm ? Role.BATCH : Role.AGENT, name);
    AgentEnrolment enrolment =
        AgentEnrolment.prepare(certificates, remote.managers(), holder, joinToken());
    AgentProcess.Config config =
        new AgentProcess.Config(
            name,
            socket,
            root,
            jobs(root),
            operators,
            slurm,
            forebay(),
            enrolment,
            door.options(METRICS_LISTEN));
    ForebayOptions options =
        enrolment == null ? remote.options() : remote.options().withTls(enrolment.settings());
    ClusterLink link = new ClusterLink(remote.instanceUri(""), options);
    PrintWriter out = spec.commandLine().getOut();
    Running.run(
        () -> AgentProcess.start(config, link),
        started -> {
          out.println(
              "the agent of node '%s' serves '%s' and mounts below '%s'; Ctrl-C ends it, mounts stay"
                  .formatted(config.node(), socket, root));
          out.flush();
        });
    return 0;
  }

  private @Nullable JoinToken joinToken() {
    String text = token != null ? token : System.getenv(EnvironmentTls.TOKEN);
    if (text == null || text.isBlank()) return null;
    JoinToken parsed = JoinToken.parse(text);
    if (parsed == null) {
      throw remote.wrong("the token is not what 'forebay token create' printed; copy all of it");
    }
    return parsed;
  }

  private ClusterJobs.Settings jobs(Path root) {
    String template = jobDirectory != null ? jobDirectory : root + "/" + ClusterJobs.Settings.TOKEN;
    try {
      return new ClusterJobs.Settings(template, copies);
    } catch (IllegalArgumentException e) {
      throw remote.wrong("--job-directory: " + e.getMessage());
    }
  }

  /** Batch systems name nodes by the first part. */
  private static String hostName() throws IOException {
    String name = InetAddress.getLocalHost().getHostName();
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** The command line of this process, up to the name of this command. */
  private static List<String> forebay() throws IOException {
    List<String> words = new ArrayList<>();
    for (String word : Files.readString(COMMAND_LINE, StandardCharsets.UTF_8).split("\0", -1)) {
      if (word.equals(NAME)) return words;
      words.add(word);
    }
    throw new IOException("the command line of this process does not name '" + NAME + "'");
  }
}
