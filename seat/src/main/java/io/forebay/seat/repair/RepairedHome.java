// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.SeatId;
import io.forebay.seat.part.HomeView;
import io.forebay.wire.message.Data;
import java.util.List;

/** The home of a group with members under repair. */
public interface RepairedHome extends HomeView {
  /** Whether the member's copy of the journal begins where it can. */
  boolean begun(SeatId member);

  /** How many entries of the journal the member lacks. */
  long lacking(SeatId member);

  /** Asks for a snapshot as soon as one can be made. */
  void wantSnapshot();

  /** Sets whether acknowledgements and commits also require the member. */
  void count(SeatId member, boolean counts);

  /** Drops what turned out to be dead, here and on every member. */
  void drop(List<Data.Dead> dead);
}
