// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static io.forebay.simulation.backing.DrainedWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** A drain whose writers are lost goes on elsewhere as soon as that is known. */
class LostWritersTest {
  private static final int FILE_BYTES = 600_000;
  private static final int WRITE_BYTES = 64 * 1024;
  private static final int MOMENTS = 12;
  private static final int STEPS_BETWEEN = 5;

  @Test
  void aSeatThatIsKilledHoldsNoDrainUp() {
    atEachMoment((world, seat) -> seat.kill());
  }

  /** Its connections stay open, as those of a machine that is gone. */
  @Test
  void aSeatThatIsSilentHoldsNoDrainUp() {
    atEachMoment(World::pause);
  }

  private static void atEachMoment(BiConsumer<World, SeatNode> loss) {
    for (int moment = 0; moment < MOMENTS; moment++) {
      DrainedWorld drained = new DrainedWorld("request");
      World world = drained.world;
      world.store().take(WRITE_BYTES);
      drained.write("file", FILE_BYTES);
      drained.drainAll();
      assertThat(world.runUntil(() -> !drained.begun.isEmpty(), 10 * SECOND)).isTrue();
      for (int i = 0; i < moment * STEPS_BETWEEN; i++) world.step();
      loss.accept(world, stranger(world));
      assertThat(world.runUntil(() -> !drained.named.isEmpty(), 40 * SECOND))
          .as("named though a seat was lost at moment %d", moment)
          .isTrue();
    }
  }

  /** One whose loss does not give the file another home, which would begin anew. */
  private static SeatNode stranger(World world) {
    RingMap map = world.map();
    Group names = map.group(map.instance("drained").rootGroup());
    return map.seats().stream()
        .filter(seat -> names.indexOf(seat.id()) < 0)
        .map(seat -> world.seatAt(seat.server()))
        .findFirst()
        .orElseThrow();
  }
}
