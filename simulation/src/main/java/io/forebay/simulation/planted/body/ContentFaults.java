// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted.body;

import io.forebay.base.RecordId;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceTable;
import io.forebay.namespace.tree.change.Call;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.store.index.RecordIndex;

/** The bodies of rewritten methods of clients, trees and stores that are more than a constant. */
public final class ContentFaults {
  private static final int LOST_ONE_IN = 4;

  private ContentFaults() {}

  /** A change without a number is applied at each request. */
  public static Call unnumbered(Call call) {
    return call(call, 0, call.doneBelow());
  }

  /** As if the client had said that it has the answer. */
  public static Call answered(Call call) {
    return call(call, call.op(), call.op());
  }

  private static Call call(Call call, long op, long doneBelow) {
    return new Call(
        call.index(),
        call.session(),
        op,
        doneBelow,
        call.settledBelow(),
        call.who(),
        call.timeNanos());
  }

  /** A record counts as garbage as soon as no file contains it. */
  public static boolean isInNoFile(TreeState state, RecordId record) {
    return !state.live.contains(record.session(), record.sequence())
        && !state.backing.isHeld(record);
  }

  /** Some records are dropped from the index instead of pointing to where they were moved. */
  public static void loseSome(RecordIndex index, long session, long sequence, long location) {
    if (sequence / RecordId.ATTEMPTS % LOST_ONE_IN == 0) index.remove(session, sequence);
    else index.put(session, sequence, location);
  }

  /** A piece does not replace the one below it. */
  public static boolean covers(PieceTable table, Piece piece) {
    return !table.between(piece.offset(), piece.endOffset()).isEmpty();
  }

  public static long odd(long number) {
    return number | 1;
  }

  public static int before(int attempt) {
    return attempt - 1;
  }
}
