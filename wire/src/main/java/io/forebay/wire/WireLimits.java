// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

/** Limits that both ends of every connection keep. */
public final class WireLimits {
  /** The longest fields of a message, its payload not counted. */
  public static final int BODY_BYTES_MAX = 4 * 1024 * 1024;

  /** The longest map to which an instance is added: it travels as one message. */
  public static final int MAP_BYTES_MAX = BODY_BYTES_MAX * 3 / 4;

  /** The longest payload. */
  public static final int PAYLOAD_BYTES_MAX = 256 * 1024 * 1024;

  /**
   * How long a handshake may take, and how long the sending of queued bytes, or the rest of a
   * message that has begun to arrive, may make no progress.
   */
  public static final long STALLED_NANOS_MAX = 30_000_000_000L;

  /**
   * The minimum average rate at which a message that has begun must arrive, and queued bytes must
   * be taken, over each {@link #STALLED_NANOS_MAX}: a transfer holds resources that others need.
   */
  public static final long BYTES_PER_SECOND_MIN = 16 * 1024;

  /** Bytes queued for a peer that does not take them: beyond it the connection is closed. */
  public static final long QUEUED_BYTES_MAX = 256L * 1024 * 1024;

  /**
   * Answers that wait for a client to take them, payloads not counted: beyond it no further request
   * of that client is taken until it does.
   */
  public static final long ANSWER_BYTES_MAX = 1024 * 1024;

  /**
   * The same for all clients of a loop together: beyond it the client with most answers waiting is
   * closed.
   */
  public static final long LOOP_ANSWER_BYTES_MAX = 64L * 1024 * 1024;

  /**
   * Long messages of all clients of a loop together that are partly here: beyond it the client that
   * sends more is closed.
   */
  public static final long LOOP_BODY_BYTES_MAX = 64L * 1024 * 1024;

  /** Connections to one loop in all. */
  public static final int CONNECTIONS_MAX = 4096;

  /** The share of these that clients may use; the rest is reserved for seats and managers. */
  public static final int CLIENT_CONNECTIONS_MAX = 3072;

  /** The share of clients' connections that one address may use. */
  public static final int ADDRESS_CONNECTIONS_MAX = 1024;

  /** The share of clients' connections that one user of this machine may use. */
  public static final int USER_CONNECTIONS_MAX = 1024;

  /** The share of these that have not sent their hello yet. */
  public static final int GREETING_CONNECTIONS_MAX = 256;

  /** Bytes that a peer sends before it is welcome: a chain of certificates and a greeting. */
  public static final long HANDSHAKE_BYTES_MAX = 128 * 1024;

  /** Requests of a client's connection without an answer: as many as a client of ours keeps. */
  public static final int REQUESTS_MAX = 64 * 1024;

  /** A client that is silent for longer gives way when all clients' places are taken. */
  public static final long CROWDED_IDLE_NANOS = 10_000_000_000L;

  /** A payload that takes longer gives way when others wait for its room. */
  public static final long CROWDED_PAYLOAD_NANOS = 5_000_000_000L;

  /** A client that is silent for longer is closed; it dials again when it needs to. */
  public static final long IDLE_NANOS_MAX = 600_000_000_000L;

  private WireLimits() {}
}
