// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.RecordId;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pieces that sessions have given up, by what was sent about them (P5): pieces that no request
 * publishes, and that are below the number that their session calls settled, or whose session is
 * over. Seats may delete them, even while an acknowledgement is on its way.
 */
final class GivenUpPieces {
  // Looked up only.
  private final Map<Long, Long> settledBelow = new HashMap<>();
  private final Set<Long> over = new HashSet<>();
  private final Set<RecordId> named = new HashSet<>();

  /** A message leaves its sender. */
  void sent(Message message) {
    if (message instanceof Data.SessionOver told) over.add(told.session());
    if (!(message instanceof Names.Request request)) return;
    settledBelow.merge(request.session(), request.settledBelow(), Math::max);
    if (request.what() instanceof Names.EndSession) over.add(request.session());
    for (Names.Piece piece : publishedBy(request.what())) {
      named.add(new RecordId(request.session(), piece.sequence()));
    }
  }

  /** The pieces that a change makes part of files. */
  static List<Names.Piece> publishedBy(Names.Op what) {
    return switch (what) {
      case Names.Publish publish -> publish.pieces();
      case Names.PutPair put -> put.pieces();
      case Names.PutFile put -> put.pieces();
      case Names.PutFiles put ->
          put.files().stream().flatMap(file -> file.pieces().stream()).toList();
      default -> List.of();
    };
  }

  boolean contains(RecordId record) {
    if (named.contains(record)) return false;
    long piece = record.sequence() / RecordId.ATTEMPTS;
    return over.contains(record.session())
        || piece < settledBelow.getOrDefault(record.session(), 0L);
  }
}
