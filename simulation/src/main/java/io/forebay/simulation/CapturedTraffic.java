// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import io.forebay.simulation.world.WireTap;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.List;

/** The messages between the parts of a simulated cluster, for programs that imitate them. */
public final class CapturedTraffic {
  /** The kinds of hosts there are. */
  public enum Host {
    CLIENT,
    SEAT,
    MANAGER
  }

  /** One message, as it was sent. */
  public record Sent(Host from, Host to, Message message) {}

  private static final int USERS = 2;

  private CapturedTraffic() {}

  /** Plays a cluster without faults, which also drains its files, and records the messages. */
  public static List<Sent> of(long seed, int operations) {
    List<Sent> sent = new ArrayList<>();
    SimulationRun run = new SimulationRun(WorldOptions.CALM, USERS, seed).withDraining(0);
    run.world()
        .trace()
        .tap(
            new WireTap() {
              @Override
              public void sent(String from, String to, long request, Message message) {
                sent.add(new Sent(hostOf(from), hostOf(to), message));
              }
            });
    run.run(operations, false);
    return sent;
  }

  private static Host hostOf(String name) {
    if (name.startsWith("client")) return Host.CLIENT;
    return name.startsWith("seat") ? Host.SEAT : Host.MANAGER;
  }
}
