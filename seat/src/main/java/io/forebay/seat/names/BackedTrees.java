// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.function.Consumer;

/** The drained trees as names need them. */
public interface BackedTrees {
  /**
   * Whether a request needs names that have not been looked up in the store yet. Then it waits
   * there, and is answered after the lookup.
   */
  boolean needsLook(Connection connection, long request, Names.Request message);

  /** A tree is full: evicts its drained data, if it drains. */
  void makeRoom(Names.Request request, long missingBytes);

  /** Adds the current progress to the journalled state. */
  Message told(Names.Request request, Names.LedgerIs known);

  /** Answers when the request is journalled, so that another home knows it too. */
  void wanted(Names.Request request, Names.Drain wanted, Message known, Consumer<Message> answer);
}
