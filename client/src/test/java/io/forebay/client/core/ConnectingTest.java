// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.wire.Address;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Finding a manager, where some or all addresses are of no use. */
class ConnectingTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Address NOBODY = new Address.Inet("cluster", 1);
  private static final Address SILENT = new Address.Inet("silent", 2);

  private SimulatedWorld world;

  @BeforeEach
  void begin() throws IOException {
    world = SimulatedWorld.withInstance(1, 1, 0);
    // What goes there is lost, as on a machine that is switched off.
    world.network.partition("node", "silent", false);
  }

  private ClientCore client(Address... managers) {
    return world.client(
        new ClientConfig(
            List.of(managers),
            "scratch",
            "node",
            Identity.root(),
            ClientConfig.Sizes.DEFAULT,
            ClientConfig.Times.DEFAULT));
  }

  private long secondsUntilFailure(String sentence, Address... managers) {
    long start = world.timers.nanos();
    RequestFailed failure = world.failure(client(managers).start());
    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failure).hasMessageContaining(sentence);
    return (world.timers.nanos() - start) / SECOND;
  }

  @Test
  void nobodyAnywhereIsSaidSoon() {
    Address other = new Address.Inet("cluster", 3);
    assertThat(secondsUntilFailure("a manager at cluster:1: no process listens there", NOBODY))
        .isBetween(2L, 3L);
    assertThat(secondsUntilFailure(", cluster:3: no process listens there", NOBODY, other))
        .isBetween(2L, 3L);
  }

  @Test
  void whoSaysNothingIsWaitedFor() {
    assertThat(secondsUntilFailure("silent:2: no answer", SILENT)).isGreaterThanOrEqualTo(30);
    assertThat(secondsUntilFailure("silent:2: no answer", NOBODY, SILENT))
        .isGreaterThanOrEqualTo(30);
  }

  @Test
  void theNextOneIsTriedSoon() {
    long start = world.timers.nanos();
    world.get(client(NOBODY, SILENT, world.ring.manager()).start());
    assertThat(world.timers.nanos() - start).isLessThan(2 * SECOND);
  }

  @Test
  void aManagerThatStartsMeanwhileIsFound() throws IOException {
    ClientCore early = client(NOBODY);
    var started = early.start();
    world.pass(SECOND);
    assertThat(started).isNotDone();
    world.ring.listenAsManager(world.network.at("cluster"), NOBODY);
    world.get(started);
  }
}
