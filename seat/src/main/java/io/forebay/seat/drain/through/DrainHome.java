// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import io.forebay.seat.names.HomeNames;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.put.HomePuts;

/** The home of a group whose trees are drained. */
public interface DrainHome extends HomeView {
  HomeNames names();

  HomePuts puts();
}
