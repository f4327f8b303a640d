// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.seat.audit.MalformedAudit;
import io.forebay.seat.manager.desk.ConnectedPeers;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.wire.Connection;
import io.forebay.wire.Network;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;

/** Decides which peers may connect to the manager. */
final class ManagerDoor implements Network.Door {
  private final ManagerState state;
  private final ConnectedPeers visitors;
  private final MalformedAudit malformed;

  ManagerDoor(ManagerState state, ConnectedPeers visitors, MalformedAudit malformed) {
    this.state = state;
    this.visitors = visitors;
    this.malformed = malformed;
  }

  @Override
  public Handshake.Answer answer(Handshake.Hello hello) {
    if (state.cluster() == 0) {
      return new Handshake.Refusal(ErrorCode.UNAVAILABLE, "the manager is starting; try again");
    }
    if (isForeign(hello.cluster())) {
      return new Handshake.Refusal(ErrorCode.WRONG_CLUSTER, foreign(hello.cluster()));
    }
    if (visitors.full()) {
      return new Handshake.Refusal(
          ErrorCode.BUSY, "the manager has " + ConnectedPeers.CONNECTIONS_MAX + " connections");
    }
    int version = Math.min(hello.versionMax(), Handshake.VERSION_MAX);
    return new Handshake.Welcome(version, state.cluster(), 0, 0);
  }

  @Override
  public void malformed(Connection from, String what) {
    malformed.sent(from, what);
  }

  /** Whether a peer has named another cluster than this one. */
  boolean isForeign(long cluster) {
    return cluster != 0 && cluster != state.cluster();
  }

  String foreign(long cluster) {
    return "this is the manager of cluster %016x, not of %016x".formatted(state.cluster(), cluster);
  }
}
