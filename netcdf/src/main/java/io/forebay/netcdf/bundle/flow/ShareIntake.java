// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.parallel.Operation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Receives this member's shares of all planes, as the ranks that correspond to it have packed them.
 * They stay packed until an aggregator has them.
 */
final class ShareIntake implements Part {
  private final Position position;
  private final Elements elements;
  private final Held held;
  private final Deque<Arrivals> arriving = new ArrayDeque<>();
  private int begun;
  private int done;

  ShareIntake(Position position, Elements elements, Held held) {
    this.position = position;
    this.elements = elements;
    this.held = held;
  }

  @Override
  public boolean advance() {
    boolean any = false;
    while (begun < position.own().rounds() && held.of(begun).isFree()) {
      HeldRound target = held.of(begun);
      target.begin(begun);
      arriving.add(new Arrivals(position, begun, target.memory()));
      begun++;
      any = true;
    }
    while (!arriving.isEmpty() && arriving.getFirst().areHere()) {
      arriving.removeFirst().packOwn(elements);
      held.of(done++).complete();
      any = true;
    }
    return any;
  }

  @Override
  public boolean isDone() {
    return done == position.own().rounds();
  }

  @Override
  public void pending(List<Operation> operations) {
    // A later round is looked at only when the first is here.
    Arrivals first = arriving.peekFirst();
    if (first != null) first.pending(operations);
  }
}
