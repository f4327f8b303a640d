// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Offers;
import io.forebay.wire.message.Maps;
import org.junit.jupiter.api.Test;

class InstanceExpiryTest {
  private static final long SECOND = ManagerWorld.SECOND;

  private static Maps.CreateInstance expiring(String name, long seconds) {
    Maps.CreateInstance usual = Offers.create(name, 1);
    return new Maps.CreateInstance(
        usual.op(),
        name,
        usual.who(),
        usual.lifetime(),
        usual.access(),
        usual.capacityBytes(),
        usual.copies(),
        usual.forced(),
        usual.whenDegraded(),
        usual.placement(),
        usual.stripeBytes(),
        usual.stripeWidth(),
        usual.backing(),
        usual.drain(),
        usual.keep(),
        usual.over(),
        usual.protection(),
        usual.permit(),
        usual.root(),
        seconds,
        usual.pool());
  }

  @Test
  void anInstanceEndsWhenItsTimeIsOverAfterAWarning() throws Exception {
    ManagerWorld world = new ManagerWorld(1, new ManagerConfig(2, 10 * SECOND, 1));
    world.form(2, 1);
    long expires = world.wallSeconds + 2 * InstanceExpiry.WARN_SECONDS;
    ManagerWorld.Peer client = world.client();
    client.ask(expiring("short", expires));
    client.ask(Offers.create("lasting", 1));
    world.pass(3 * SECOND);
    assertThat(world.warned).noneMatch(sentence -> sentence.contains("expires"));
    world.wallSeconds = expires - 60;
    world.pass(3 * SECOND);
    assertThat(world.warned)
        .filteredOn(sentence -> sentence.contains("instance 'short' of user 1000 expires at"))
        .as("once")
        .hasSize(1);
    assertThat(world.manager.map().instance("short").drain().ending()).isFalse();
    world.wallSeconds = expires;
    world.until(() -> world.manager.map().instance("short").drain().ending(), "the end");
    assertThat(world.warned).contains("instance 'short' has expired: it ends");
    assertThat(world.manager.map().instance("lasting").drain().ending()).isFalse();
  }
}
