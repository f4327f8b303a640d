// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.base.SeatId;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.client.stage.StageBoard;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.proof.SystemUsers;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server to an instance that has stages. Any thread.
 *
 * @param connection to the instance's only tree, or with private access to that of the board
 */
record StageGround(
    StagerConfig config, Instance instance, Cluster cluster, Forebay connection, StageBoard board)
    implements AutoCloseable {
  /** Connects; null if there is no such instance. */
  static @Nullable StageGround open(StagerConfig config, String name) throws IOException {
    Cluster cluster =
        Cluster.connect(new ForebayUri(config.managers(), "", "/").toString(), config.options());
    try {
      // Asks the manager: attaching to a private instance would create a tree there.
      Instance instance =
          cluster.instances().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElse(null);
      if (instance == null) {
        cluster.close();
        return null;
      }
      // The notes belong to the owner; a server may read all of them.
      ForebayOptions options = config.options().withIdentity(Identity.root());
      Forebay connection =
          Forebay.connect(
              new ForebayUri(config.managers(), name, "/").toString(), StageBoard.options(options));
      return new StageGround(config, instance, cluster, connection, new StageBoard(connection));
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  /** The owner of the instance, with groups that may be its own. */
  Identity owner(List<Integer> claimed) {
    SystemUsers.User known = new SystemUsers(System::nanoTime).find(instance.owner());
    return owner(instance, claimed, known == null ? List.of() : known.groups());
  }

  /**
   * The owner with its groups. A client has written which ones it had: those count that this
   * machine knows, besides the group of the instance.
   *
   * @param known the groups that the owner has on this machine
   */
  static Identity owner(Instance instance, List<Integer> claimed, List<Integer> known) {
    List<Integer> groups = new ArrayList<>(List.of(instance.group()));
    for (int group : claimed) {
      boolean counts = known.contains(group) && !groups.contains(group);
      if (counts && groups.size() < Identity.GROUPS_MAX) groups.add(group);
    }
    return new Identity(instance.owner(), groups);
  }

  /** The other servers that have seats of the instance, each with one of its seats. */
  Map<String, SeatId> others() throws IOException {
    RingMap map = cluster.map();
    Map<String, SeatId> others = new TreeMap<>();
    for (SeatId id : seats(map)) {
      SeatEntry seat = map.seat(id);
      if (seat == null || seat.away() || seat.stay() != SeatEntry.Stay.HERE) continue;
      if (!seat.server().equals(config.server())) others.putIfAbsent(seat.server(), id);
    }
    return others;
  }

  private List<SeatId> seats(RingMap map) {
    Instance now = map.instance(instance.id());
    return new ArrayList<>(now == null ? instance.seats() : now.seats());
  }

  /** Asks a server to look for tasks of this instance. */
  void call(SeatId seat) throws IOException {
    cluster.callToStage(seat, instance);
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } finally {
      cluster.close();
    }
  }
}
