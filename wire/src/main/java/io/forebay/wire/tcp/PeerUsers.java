// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.message.Identity;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Tells which user of this machine has the other end of a connected socket. Called by loops, so it
 * must not block.
 */
@FunctionalInterface
public interface PeerUsers {
  /** Knows no user. */
  PeerUsers NONE = socket -> null;

  /** The user; null if it is on another machine, or cannot be told. */
  @Nullable Identity of(SocketChannel socket);
}
