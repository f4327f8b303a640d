// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.simulation.world.World;
import io.forebay.wire.message.Names;
import java.util.Map;
import java.util.TreeMap;

/**
 * No two clients believe at the same time that they hold conflicting locks (P27). Checked only
 * while no client is partitioned for so long that its session ends: such a client may keep its
 * belief, and its writes are refused (P5).
 */
public final class LockAudit extends Audit {
  private final Map<String, Names.Lock> held = new TreeMap<>();
  private int taken;

  public LockAudit(World world) {
    super(world);
  }

  /** How many locks were taken. */
  public int taken() {
    return taken;
  }

  /** A client was told that it holds a lock. */
  public void holds(String client, Names.Lock lock) {
    taken++;
    held.forEach(
        (other, theirs) -> {
          if (exclude(lock, theirs)) {
            broken("P27", client + " holds " + lock + " while " + other + " holds " + theirs);
          }
        });
    held.put(client, lock);
  }

  /** A client releases all its locks, or is dead. */
  public void gone(String client) {
    held.remove(client);
  }

  private static boolean exclude(Names.Lock one, Names.Lock other) {
    return one.kind() == other.kind()
        && (one.exclusive() || other.exclusive())
        && one.first() <= other.last()
        && other.first() <= one.last();
  }
}
