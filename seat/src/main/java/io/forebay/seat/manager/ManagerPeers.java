// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.ConsensusGroup;
import io.forebay.seat.consensus.Peer;
import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.ConnectedPeers;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The managers of the cluster, as this one knows them. It tells its peers where they are, and,
 * while it leads, adds and removes managers: one change at a time. Called by the manager's loop
 * only.
 */
final class ManagerPeers {
  private static final Maps.ManagersAre NOTHING = new Maps.ManagersAre(false, "", List.of());

  private final Consensus consensus;
  private final ConnectedPeers visitors;
  private final ManagerEvents events;
  private final BooleanSupplier leads;
  private final BooleanSupplier answers;
  private Maps.ManagersAre told = NOTHING;
  private boolean changing;

  /**
   * Has told nothing yet.
   *
   * @param leads whether this manager leads
   * @param answers whether its term has begun, too
   */
  ManagerPeers(
      Consensus consensus,
      ConnectedPeers visitors,
      ManagerEvents events,
      BooleanSupplier leads,
      BooleanSupplier answers) {
    this.consensus = consensus;
    this.visitors = visitors;
    this.events = events;
    this.leads = leads;
    this.answers = answers;
  }

  /** Others may lead now, or there may be other managers: tells all peers. */
  void changed() {
    Maps.ManagersAre now = present();
    if (now.equals(told)) return;
    told = now;
    visitors.tell(now);
  }

  void opened(Connection connection) {
    if (!told.equals(NOTHING)) connection.send(0, told);
  }

  /** A manager that is alone says nothing: its peers know where it is. */
  private Maps.ManagersAre present() {
    List<Consensus.Member> members = consensus.members();
    if (members.size() < 2 && told.equals(NOTHING)) return NOTHING;
    String leader = "";
    List<String> addresses = new ArrayList<>();
    for (Consensus.Member member : members) {
      if (!member.address().isEmpty()) addresses.add(member.address());
      if (member.leads()) leader = member.address();
    }
    String named = leads.getAsBoolean() ? "" : leader;
    return new Maps.ManagersAre(answers.getAsBoolean(), named, addresses);
  }

  List<Statuses.ManagerSeen> seen() {
    return consensus.members().stream()
        .map(
            each ->
                new Statuses.ManagerSeen(
                    each.name(),
                    each.incarnation(),
                    each.address(),
                    each.leads(),
                    each.behind(),
                    each.silentNanos()))
        .toList();
  }

  /** Answers a request while this manager leads. */
  void answer(Maps.OfManagers request, Caller caller) {
    ConsensusGroup group = consensus.group();
    if (group == null) {
      caller.fail(
          ErrorCode.REFUSED,
          "this cluster has one manager, which takes no others: restart it with --peer-listen HOST:PORT");
    } else if (changing) {
      caller.fail(ErrorCode.UNAVAILABLE, "another change of the managers is under way");
    } else {
      switch (request) {
        case Maps.AddManager add -> add(add, group, caller);
        case Maps.RemoveManager remove -> remove(remove.name(), group, caller);
      }
    }
  }

  private void add(Maps.AddManager add, ConsensusGroup group, Caller caller) {
    Peer peer;
    try {
      peer = new Peer(add.name(), add.incarnation(), add.address(), add.clientAddress());
    } catch (IllegalArgumentException e) {
      caller.fail(ErrorCode.MALFORMED, String.valueOf(e.getMessage()));
      return;
    }
    List<Peer> peers = new ArrayList<>(group.peers());
    if (peers.stream().anyMatch(each -> each.id().equals(peer.id()))) {
      caller.done();
      return;
    }
    boolean replaces = peers.removeIf(each -> each.name().equals(peer.name()));
    peers.add(peer);
    if (peers.size() > Maps.MANAGERS_MAX) {
      caller.fail(
          ErrorCode.REFUSED,
          "a cluster has at most %d managers; remove one with 'forebay managers remove NAME'"
              .formatted(Maps.MANAGERS_MAX));
      return;
    }
    String what =
        "manager '%s' at %s %s"
            .formatted(
                peer.name(),
                peer.clientAddress(),
                replaces ? "takes the place of the one with its name" : "is one of the managers");
    change(group, peers, what, caller);
  }

  private void remove(String name, ConsensusGroup group, Caller caller) {
    List<Peer> peers = new ArrayList<>(group.peers());
    if (!peers.removeIf(each -> each.name().equals(name))) {
      caller.fail(
          ErrorCode.NOT_FOUND,
          "there is no manager '%s'; 'forebay managers' lists them".formatted(name));
    } else if (peers.isEmpty()) {
      caller.fail(ErrorCode.REFUSED, "'%s' is the only manager".formatted(name));
    } else {
      change(group, peers, "manager '%s' is removed".formatted(name), caller);
    }
  }

  private void change(ConsensusGroup group, List<Peer> peers, String what, Caller caller) {
    changing = true;
    group.changeMembers(
        peers,
        new ConsensusGroup.MembersChange() {
          @Override
          public void changed() {
            changing = false;
            events.told(what + "; there are " + peers.size());
            ManagerPeers.this.changed();
            caller.done();
          }

          @Override
          public void failed(String reason) {
            changing = false;
            caller.fail(ErrorCode.UNAVAILABLE, "the managers have not changed: " + reason);
          }
        });
  }
}
