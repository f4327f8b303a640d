// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import org.jspecify.annotations.Nullable;

/** What a seat knows of the other ends of its connections. */
public interface Callers {
  /** Whether it has proved to be another seat. */
  boolean isSeat(Connection connection);

  /** The map as that connection may see it, without its bytes if it has that epoch. */
  Maps.MapIs mapFor(Connection connection, long haveEpoch);

  /** The capability that it has shown for what a message is about, in words; null for none. */
  @Nullable String capabilityFor(Connection connection, Message message);
}
