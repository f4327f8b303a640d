// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.Allocation;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.Identity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A user that creates and destroys in a loop does not use up the map. */
class InstanceShareTest {
  private static final int USER = 1000;

  private static Instance destroyed(int number) {
    Instance instance =
        new Instance(
            number,
            "i" + number,
            USER,
            USER,
            Instance.Lifetime.PERSISTENT,
            Instance.Access.SHARED,
            0,
            1,
            false,
            Instance.WhenDegraded.CONTINUE,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0),
            SmallRing.seats(1),
            SmallRing.id(1, 1),
            new DrainSpec("dir:/" + "b".repeat(4000), "", "", false, false),
            "",
            Tenancy.OPEN,
            Allocation.NONE,
            false);
    return InstanceRules.tombstone(instance);
  }

  private static RingMap mapOf(int destroyed) {
    RingMap ring = SmallRing.of(1).map();
    List<Instance> instances = new ArrayList<>();
    for (int i = 1; i <= destroyed; i++) instances.add(destroyed(i));
    return new RingMap(1, 1, 1, ring.seats(), ring.groups(), instances);
  }

  @Test
  void whatAUserHasDestroyedCounts() {
    assertThat(InstanceRules.checkShare(USER, mapOf(2000))).isNull();
    RingMap map = mapOf(6000);
    Result.Refused refused = InstanceRules.checkShare(USER, map);
    assertThat(refused).isNotNull();
    assertThat(refused.sentence()).contains("user 1000 has destroyed so many instances");
    assertThat(InstanceRules.checkShare(USER + 1, map)).isNull();
    assertThat(InstanceRules.checkShare(Identity.ROOT, map)).isNull();
    assertThat(InstanceRules.isFull(map)).isFalse();
  }
}
