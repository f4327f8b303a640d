// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import java.util.List;

/** How an operation ended. An operation without an end counts as {@link Unknown}. */
public sealed interface Ending {
  /** It is done. */
  record Done() implements Ending {}

  /** A read or a get returned these bytes. Bytes outside the runs were a hole or behind the end. */
  record Saw(List<Run> runs) implements Ending {
    public Saw {
      runs = List.copyOf(runs);
    }
  }

  /** There is no such pair. */
  record NotThere() implements Ending {}

  /** It was not done and never will be. */
  record Refused() implements Ending {}

  /** It may have been done, or be done later, once and whole, or never. */
  record Unknown() implements Ending {}
}
