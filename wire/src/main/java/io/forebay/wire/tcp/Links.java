// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Address;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.tls.Link;
import io.forebay.wire.tls.PlainLink;
import io.forebay.wire.tls.RevokedSerials;
import io.forebay.wire.tls.TlsBuffers;
import io.forebay.wire.tls.TlsChannel;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the links of a loop's connections: with certificates, those of TCP use TLS. Unix sockets
 * are plain: their bytes do not leave the machine, and file modes say who may dial them.
 */
final class Links {
  /**
   * Expensive steps of TLS handshakes in one turn of the loop, each a few milliseconds at most: a
   * crowd of strangers must not hold up leases and heartbeats.
   */
  private static final int HANDSHAKE_STEPS_PER_TURN = 8;

  private static final Logger LOG = LoggerFactory.getLogger(Links.class);

  private final @Nullable TlsFiles tls;
  private final TlsBuffers buffers;
  private int handshakeSteps;

  /** The links of a loop without TLS if {@code tls} is null. */
  Links(@Nullable TlsFiles tls, TlsBuffers buffers) {
    this.tls = tls;
    this.buffers = buffers;
  }

  Link dialling(SocketChannel channel, Address to) throws IOException {
    return tls != null && to instanceof Address.Inet inet
        ? new TlsChannel(tls.identity().dialling(inet), channel, buffers)
        : new PlainLink(channel);
  }

  /**
   * The link of an accepted connection. Without TLS, frames themselves bound what comes first.
   *
   * @param first the same socket, with a bound on the first bytes
   */
  Link accepted(SocketChannel channel, FirstBytes first, Address at) throws IOException {
    return tls != null && at instanceof Address.Inet
        ? new TlsChannel(tls.identity().listening(), first, buffers)
        : new PlainLink(channel);
  }

  /** Tells a peer without TLS, in its own words, that TLS is needed. */
  static void refusePlain(SocketChannel channel, Frames frames) {
    Handshake.Refusal refusal = new Handshake.Refusal(ErrorCode.REFUSED, Reasons.TLS_ONLY);
    try {
      channel.write(frames.encode(0, refusal, Frames.NO_PAYLOAD));
    } catch (IOException e) {
      LOG.debug("the refusal was not sent", e);
    }
  }

  /** The certificates of peers that are not accepted any more; null without TLS. */
  @Nullable RevokedSerials revoked() {
    return tls == null ? null : tls.revoked();
  }

  /** The loop has a new turn. */
  void turn() {
    handshakeSteps = HANDSHAKE_STEPS_PER_TURN;
  }

  /** Whether an expensive step of a handshake may run in this turn. */
  boolean mayCompute() {
    return handshakeSteps-- > 0;
  }

  /** Looks for new certificates if it is time. */
  void refresh(Executor errands) {
    TlsFiles files = tls;
    if (files == null || !files.isDue()) return;
    try {
      errands.execute(files::refresh);
    } catch (RejectedExecutionException e) {
      LOG.debug("the certificates are looked at later", e);
    }
  }
}
