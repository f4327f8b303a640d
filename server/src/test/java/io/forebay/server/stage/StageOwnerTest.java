// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.Identity;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageOwnerTest {
  private static final int OWNER = 1000;
  private static final int OWN = 100;

  private static final Instance INSTANCE =
      new Instance(
          1,
          "i",
          OWNER,
          OWN,
          Instance.Lifetime.PERSISTENT,
          Instance.Access.SHARED,
          0,
          1,
          false,
          Instance.WhenDegraded.CONTINUE,
          new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0),
          List.of(new SeatId(1)),
          GroupId.of(new SeatId(1), 1),
          DrainSpec.NONE,
          "",
          Tenancy.OPEN,
          Allocation.NONE);

  @Test
  void groupsThatTheMachineDoesNotKnowCountForNothing() {
    assertThat(StageGround.owner(INSTANCE, List.of(OWN, 0, 42, 200), List.of(OWN, 200, 300)))
        .isEqualTo(new Identity(OWNER, List.of(OWN, 200)));
    assertThat(StageGround.owner(INSTANCE, List.of(0, 42), List.of()))
        .isEqualTo(new Identity(OWNER, List.of(OWN)));
  }

  @Test
  void groupsThatWereNotClaimedDoNotCountEither() {
    assertThat(StageGround.owner(INSTANCE, List.of(), List.of(OWN, 200)))
        .isEqualTo(new Identity(OWNER, List.of(OWN)));
  }
}
