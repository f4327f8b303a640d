// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.ring.RingMap;
import io.forebay.wire.message.Message;

/** Gets all messages of a simulated cluster, and what becomes of its hosts. */
public interface WireTap {
  /** A host sends a message, which may get lost. */
  default void sent(String from, String to, long request, Message message) {}

  /** A message is about to be taken by its receiver. */
  default void handed(String from, String to, long request, Message message) {}

  default void killed(String host) {}

  /** The manager, which lost its log, is about to go on from that map. */
  default void recovered(RingMap from) {}
}
