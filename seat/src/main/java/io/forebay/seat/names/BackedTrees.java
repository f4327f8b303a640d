// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.function.Consumer;

/** What names need of the trees that are drained. */
public interface BackedTrees {
  /**
   * Whether a request needs names that nobody has looked up in the store yet. Then it waits there,
   * and is answered when somebody has.
   */
  boolean needsLook(Connection connection, long request, Names.Request message);

  /** A tree may hold no more: it gives up what the backing store has, if it drains. */
  void makeRoom(Names.Request request, long missingBytes);

  /** Adds to what the journal knows what is going on. */
  Message told(Names.Request request, Names.LedgerIs known);

  /** Answers when the journal knows what is wanted, so that another home knows it too. */
  void wanted(Names.Request request, Names.Drain wanted, Message known, Consumer<Message> answer);
}
