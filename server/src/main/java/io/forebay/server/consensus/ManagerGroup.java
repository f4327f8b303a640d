// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.base.Bytes;
import io.forebay.client.enrol.ManagersAdmin;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.ConsensusGroup;
import io.forebay.seat.consensus.Peer;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the managers of a cluster, which agree. When its process starts:
 *
 * <ol>
 *   <li>a directory that belongs to a group goes on with it;
 *   <li>one with the log of a manager that was alone founds a group, which begins with the state in
 *       that log;
 *   <li>an empty one joins the group of the managers that are named;
 *   <li>an empty one without such managers founds the group of a new cluster.
 * </ol>
 *
 * <p>A directory that was lost is thus never taken for a new cluster where other managers are
 * named. {@link #prepare} is for the thread that starts the process; the rest is for the manager's
 * loop.
 */
public final class ManagerGroup implements Agreement {
  /** Below the manager's directory. */
  private static final String FOLDER = "group";

  /** The engine wants more digits than the number of a cluster has. */
  private static final long GROUP_ID_HIGH = 0x666f_7265_6261_7930L;

  private static final Logger LOG = LoggerFactory.getLogger(ManagerGroup.class);

  /**
   * A manager that is to start.
   *
   * @param directory the manager's
   * @param client where clients and seats reach it; with port 0 it chooses one and keeps it
   * @param granuleBytes of a new cluster
   */
  public record Start(
      Path directory, Address.Inet client, GroupOptions options, long granuleBytes) {}

  private final ConsensusGroup group;
  private final @Nullable JoinRequest joining;

  private ManagerGroup(ConsensusGroup group, @Nullable JoinRequest joining) {
    this.group = group;
    this.joining = joining;
  }

  /** Whether a manager's directory belongs to one of several. */
  public static boolean exists(Path directory) {
    return folder(directory).toFile().exists();
  }

  /** Whether a manager that starts has to join others: it has no state of its own. */
  public static boolean joins(Path directory, @Nullable GroupOptions options) {
    return options != null
        && !options.managers().isEmpty()
        && !exists(directory)
        && !OwnLog.exists(directory);
  }

  private static Path folder(Path directory) {
    return directory.resolve(FOLDER);
  }

  /** Opens one on a loop. */
  public interface Opening {
    ManagerGroup open(ConsensusProvider.Environment environment) throws IOException;
  }

  /**
   * Founds a group, or finds the one to join, if that is to be done. Blocks; the message of an
   * exception is a sentence.
   *
   * @param tls the certificates of the process; null for none
   * @param peers how managers authenticate each other; null for no TLS
   */
  public static Opening prepare(
      Start start, @Nullable TlsFiles tls, GroupConfig.@Nullable Tls peers, RandomGenerator random)
      throws IOException {
    ConsensusProvider provider = ConsensusProviders.find();
    Path directory = folder(start.directory);
    UUID known = provider.cluster(directory);
    boolean joins = known == null && joins(start.directory, start.options);
    UUID cluster = known != null ? known : id(joins ? askCluster(start, tls) : draw(random));
    Bytes state = null;
    if (known == null && !joins) {
      ManagerState begun = begin(start, cluster, random);
      cluster = id(begun.cluster());
      state = begun.snapshot();
    }
    GroupConfig config =
        new GroupConfig(
            cluster,
            directory,
            start.options.name(),
            new GroupConfig.Addresses(start.options.listen(), start.client.toString()),
            peers);
    OwnerOnly.createDirectories(start.directory);
    if (state != null) provider.found(config, state);
    return environment -> {
      ConsensusGroup group = provider.open(config, environment);
      boolean waits = group.peers().isEmpty() && !start.options.managers().isEmpty();
      return new ManagerGroup(
          group, waits ? new JoinRequest(start.options.managers(), tls, group) : null);
    };
  }

  private static long draw(RandomGenerator random) {
    long drawn = random.nextLong();
    return drawn == 0 ? 1 : drawn;
  }

  private static UUID id(long cluster) {
    return new UUID(GROUP_ID_HIGH, cluster);
  }

  private static long askCluster(Start start, @Nullable TlsFiles tls) throws IOException {
    LOG.info("{} asks the managers at {}", start.options.name(), start.options.managers());
    try (ManagersAdmin others = ManagersAdmin.of(start.options.managers(), tls)) {
      return others.cluster();
    }
  }

  /** What a group begins with. */
  private static ManagerState begin(Start start, UUID drawn, RandomGenerator random)
      throws IOException {
    ManagerState state = new ManagerState();
    if (OwnLog.exists(start.directory)) {
      OwnLog.replay(start.directory, random, state);
      LOG.info(
          "{} begins a group of managers with the state in the log of the one manager in {}",
          start.options.name(),
          start.directory);
    }
    if (state.cluster() == 0) {
      long cluster = drawn.getLeastSignificantBits();
      state.apply(new Command.BeginTerm(state.term() + 1, cluster, start.granuleBytes));
    }
    return state;
  }

  /** This manager, with the addresses that it has chosen. */
  public Peer self() {
    return group.self();
  }

  /** Asks to be added to the group, if it is not one of it yet. */
  @Override
  public void listening() {
    if (joining != null) joining.start();
  }

  @Override
  public Consensus consensus() {
    return group;
  }

  @Override
  public boolean poll() {
    return group.poll();
  }

  @Override
  public void close() {
    if (joining != null) joining.close();
    group.close();
  }
}
