// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.parallel.Operation;
import java.util.List;

/** The two rounds that a member may hold: one arrives while the other leaves. */
final class Held {
  private final HeldRound[] rounds = new HeldRound[Buffers.PAIR];

  Held(Buffers buffers) {
    for (int i = 0; i < rounds.length; i++) rounds[i] = new HeldRound(buffers.held(i));
  }

  /** The memory that a round has its turn in. */
  HeldRound of(int round) {
    return rounds[round % rounds.length];
  }

  boolean retire() {
    boolean any = false;
    for (HeldRound round : rounds) any |= round.retire();
    return any;
  }

  boolean isFree() {
    for (HeldRound round : rounds) {
      if (!round.isFree()) return false;
    }
    return true;
  }

  void pending(List<Operation> operations) {
    for (HeldRound round : rounds) round.pending(operations);
  }
}
