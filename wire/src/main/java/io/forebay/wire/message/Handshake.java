// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;

/** The first message each way. Their layout never changes, so that any two versions can refuse. */
public interface Handshake {
  /** The versions this code speaks. */
  int VERSION_MIN = 1;

  int VERSION_MAX = 1;

  /** The kind of process that dials. */
  enum Role {
    CLIENT,
    SEAT,
    MANAGER
  }

  /** Payloads that are to be stored have connections of their own, so that they delay nothing. */
  enum Lane {
    CONTROL,
    INGEST
  }

  /**
   * Sent by the end that dials.
   *
   * @param cluster the cluster it belongs to, or 0 if it does not know yet
   * @param node the host it runs on
   * @param sender a seat's number or a client's session
   * @param credentials proof of its identity; empty where none is required
   */
  record Hello(
      int versionMin,
      int versionMax,
      Role role,
      Lane lane,
      long cluster,
      String node,
      long sender,
      Bytes credentials)
      implements Message {
    public static Hello of(Role role, Lane lane, long cluster, String node, long sender) {
      return new Hello(VERSION_MIN, VERSION_MAX, role, lane, cluster, node, sender, Bytes.EMPTY);
    }

    /** The same on another lane. */
    public Hello on(Lane other) {
      return new Hello(versionMin, versionMax, role, other, cluster, node, sender, credentials);
    }
  }

  /** The answer of the listening end. */
  sealed interface Answer extends Message permits Welcome, Refusal {}

  /**
   * The connection is accepted.
   *
   * @param version the protocol version of this connection
   * @param creditBytes how many bytes of payloads may be sent and not yet answered
   * @param payloadBytesMax the longest payload this end stores
   */
  record Welcome(int version, long cluster, long creditBytes, int payloadBytesMax)
      implements Answer {}

  /** Stay out; the connection is closed behind it. */
  record Refusal(ErrorCode code, String detail) implements Answer {}
}
