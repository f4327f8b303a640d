// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.base.Bytes;
import io.forebay.wire.proof.PeerCertificate;
import java.io.IOException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.function.BooleanSupplier;

/**
 * How the bytes of a connection pass through its socket: as they are, or encrypted. Used by one
 * loop's thread; no method blocks.
 *
 * <p>A read may leave bytes in the link, of which no selector knows; {@link #hasInput} does. A
 * write takes bytes over: they are sent, or kept as output until {@link #flush}. Where bytes cost
 * processor time, one call takes a bounded number of them, so that the loop can turn to others.
 */
public interface Link extends ScatteringByteChannel, GatheringByteChannel {
  /** How far the start of a link has come. */
  enum Progress {
    /** Bytes can pass. */
    DONE,
    /** It waits for bytes of the peer. */
    WANTS_INPUT,
    /** It waits until the socket takes more. */
    WANTS_OUTPUT,
    /** It has something to compute, and asks for another turn. */
    WANTS_TURN
  }

  /**
   * Begins or continues the start of the link.
   *
   * @param mayCompute asked before each step that costs milliseconds
   */
  Progress establish(BooleanSupplier mayCompute) throws IOException;

  /** Whether a read would return something without any byte from the socket. */
  boolean hasInput();

  /** Whether it holds a part of something that cannot be delivered before the rest comes. */
  boolean isPartial();

  /** Whether it holds bytes that the socket did not take. */
  boolean hasOutput();

  /** Offers these to the socket. */
  void flush() throws IOException;

  /** Gives back all buffers that hold nothing. */
  void rest();

  /** Tells the peer that this is the end, as far as the socket takes it at once. */
  void sayGoodbye() throws IOException;

  /** What the peer has proved. */
  PeerCertificate peer();

  /** The SHA-256 of the certificate that the listening end has shown; empty if it shows none. */
  Bytes channelBinding();

  /** Closes the socket and gives back all buffers. */
  @Override
  void close() throws IOException;
}
