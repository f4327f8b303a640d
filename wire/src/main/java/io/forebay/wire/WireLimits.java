package io.forebay.wire;

/** Bounds that both ends of every connection keep. */
public final class WireLimits {
  /** The longest fields of a message, its payload not counted. */
  public static final int BODY_BYTES_MAX = 4 * 1024 * 1024;

  /** The longest payload. */
  public static final int PAYLOAD_BYTES_MAX = 256 * 1024 * 1024;

  /**
   * How long a handshake may take, and how long the sending of queued bytes, or the rest of a
   * message that has begun to arrive, may make no progress.
   */
  public static final long STALLED_NANOS_MAX = 30_000_000_000L;

  /** Bytes queued for a peer that does not take them: beyond it the connection is closed. */
  public static final long QUEUED_BYTES_MAX = 256L * 1024 * 1024;

  private WireLimits() {}
}
