// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.ring.RingMap;
import io.forebay.simulation.world.World;
import java.util.Set;
import java.util.TreeSet;

/** An instance that ends is not gone while a stage of it has a mark (P29). */
public final class EndAudit extends Audit {
  private final Set<Integer> marked = new TreeSet<>();
  private int ended;

  public EndAudit(World world) {
    super(world);
  }

  /** How many instances were gone after the mark of their stage was deleted. */
  public int ended() {
    return ended;
  }

  /** A client was told that a stage of the instance has its mark. */
  public void marked(int instance) {
    marked.add(instance);
  }

  /** A client is about to delete the mark. */
  public void released(int instance) {
    marked.remove(instance);
  }

  /** The instance is gone, as it should be. */
  public void gone() {
    ended++;
  }

  @Override
  public void look() {
    RingMap map = world().map();
    if (map == null) return;
    for (int id : marked) {
      if (map.instance(id) == null)
        broken("P29", "instance " + id + " is gone while a stage of it is due");
    }
  }
}
