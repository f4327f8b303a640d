// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.frame;

/** Bytes that are no valid frame. The connection cannot continue. */
public final class MalformedFrame extends Exception {
  /** The kind of defect. */
  public enum Kind {
    /** The bytes are something else altogether. */
    FOREIGN,
    /** The peer speaks TLS. */
    TLS,
    HEAD_CORRUPT,
    UNKNOWN_MESSAGE,
    BODY_TOO_LONG,
    PAYLOAD_TOO_LONG,
    BODY_CORRUPT,
    /** The bytes arrived as they were sent, but are not this message. */
    BODY_MALFORMED,
    /** A message that may not come now. */
    OUT_OF_TURN
  }

  private static final long serialVersionUID = 1;

  private final Kind kind;
  private final String what;

  public MalformedFrame(Kind kind, String message) {
    super(message);
    this.kind = kind;
    this.what = message;
  }

  public MalformedFrame(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.what = message;
  }

  /** A message that may not come now. */
  public static MalformedFrame outOfTurn(String what) {
    return new MalformedFrame(Kind.OUT_OF_TURN, what);
  }

  /** Whether the peer speaks something else altogether. */
  public boolean isForeign() {
    return kind == Kind.FOREIGN || kind == Kind.TLS;
  }

  /** What arrived, as in "sent ...". */
  public String what() {
    return what;
  }

  public Kind kind() {
    return kind;
  }
}
