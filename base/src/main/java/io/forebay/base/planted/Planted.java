// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.planted;

import org.jspecify.annotations.Nullable;

/**
 * Which fault is planted in a core, if any. Handed to each core when it is made, and asked at the
 * place of the fault. Outside of the simulation it is always {@link #NONE}: no option makes
 * another, and a test of the architecture sees to it that nobody else calls {@link #of}.
 */
public final class Planted {
  /** No fault: what every real process has. */
  public static final Planted NONE = new Planted(null);

  private final @Nullable PlantedBug bug;

  private Planted(@Nullable PlantedBug bug) {
    this.bug = bug;
  }

  /** One fault, for the simulation only. */
  public static Planted of(PlantedBug bug) {
    return new Planted(bug);
  }

  /** Whether that fault is to show here. */
  public boolean is(PlantedBug asked) {
    return bug == asked;
  }
}
