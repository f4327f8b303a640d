// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import org.junit.jupiter.api.Test;

/** A file that loses its last name at the moment when it is opened. */
class ReplacedFilesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long STEP_NANOS = 20_000;

  /** Longer than it takes from the loss of a name to the end of the file. */
  private static final int STEPS = 250;

  private final World world = new World(WorldOptions.CALM.withSeats(3, 2), 14);
  private final RawClient client = RawClient.withInstance(world, 2, false);

  private static Names.Open open(long directory, String path, boolean create) {
    return new Names.Open(directory, path, true, true, create, false, false, 0644);
  }

  private long make(String name) {
    long number = ((Names.NodeIs) client.names(open(Names.ROOT, name, true))).attributes().number();
    client.names(new Names.Release(number));
    return number;
  }

  @Test
  void whoeverWasToldThatItIsOpenHasIt() {
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    int opened = 0;
    int gone = 0;
    for (int step = 0; step < STEPS; step++) {
      long old = make("f");
      make("g");
      long renamed =
          client.sendNames(
              RawClient.SESSION, new Names.Rename(Names.ROOT, "g", Names.ROOT, "f", false, false));
      world.runFor(step * STEP_NANOS);
      Message answer = client.names(open(old, "", false));
      client.await(renamed);
      world.runFor(SECOND / 100);
      if (answer instanceof Names.NodeIs) {
        opened++;
        assertThat(client.names(new Names.Lookup(old, "", false)))
            .as("opened %d ns after the rename was sent", step * STEP_NANOS)
            .isInstanceOf(Names.NodeIs.class);
        client.names(new Names.Release(old));
      } else {
        gone++;
        assertThat(((Replies.Failed) answer).code()).isEqualTo(ErrorCode.STALE_HANDLE);
      }
      client.names(new Names.Unlink(Names.ROOT, "f"));
    }
    assertThat(opened).as("before it is gone").isPositive();
    assertThat(gone).as("when it is").isPositive();
  }
}
