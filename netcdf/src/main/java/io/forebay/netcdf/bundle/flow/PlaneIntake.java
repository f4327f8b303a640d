// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.parallel.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the planes that this member is the root of: the parts of all ranks arrive in one buffer,
 * and are put together in another.
 */
final class PlaneIntake implements Part {
  private final Position position;
  private final Elements elements;
  private final Buffers buffers;
  private final Held held;
  private @Nullable Arrivals arrivals;
  private int round;

  PlaneIntake(Position position, Elements elements, Buffers buffers, Held held) {
    this.position = position;
    this.elements = elements;
    this.buffers = buffers;
    this.held = held;
  }

  @Override
  public boolean advance() {
    boolean any = false;
    while (round < position.own().rounds()) {
      if (arrivals == null) {
        arrivals = new Arrivals(position, round, buffers.arriving());
        any = true;
      }
      HeldRound target = held.of(round);
      if (!arrivals.areHere() || !target.isFree()) return any;
      target.begin(round);
      arrivals.packOwn(elements);
      arrivals.assemble(elements, target.memory());
      target.complete();
      arrivals = null;
      round++;
      any = true;
    }
    return any;
  }

  @Override
  public boolean isDone() {
    return round == position.own().rounds();
  }

  @Override
  public void pending(List<Operation> operations) {
    if (arrivals != null) arrivals.pending(operations);
  }
}
