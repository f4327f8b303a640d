// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.RingMapCodec;
import io.forebay.ring.ended.EndedInstances.Range;
import io.forebay.wire.Limit;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Instances that come and go do not use up the map, nor the share of a user. */
class InstanceShareTest {
  private static final int ROUNDS = 50_000;
  private static final int USER = Offers.USER.user();

  private final ManagerState state = new ManagerState();

  private void form() {
    state.apply(new Command.BeginTerm(1, 9));
    state.apply(new Command.FormRing(Offers.arrivals(2, 1), 1));
  }

  private int create(String name) {
    Result result = state.apply(ManagerStateTest.create(name, 1));
    assertThat(result).as(name).isInstanceOf(Result.Made.class);
    return ((Result.Made) result).instance();
  }

  private void destroy(int number) {
    assertThat(state.apply(new Command.DestroyInstance(Offers.op(), number, USER)))
        .isEqualTo(Result.Done.QUIETLY);
  }

  private int mapBytes() {
    return RingMapCodec.write(state.map()).length();
  }

  @Test
  void aUserCreatesAndDestroysWithoutEnd() throws Exception {
    form();
    int first = create("i");
    int bytes = mapBytes();
    destroy(first);
    int last = 0;
    for (int i = 1; i < ROUNDS; i++) {
      last = create("i");
      destroy(last);
    }
    assertThat(last).as("no number is given twice").isEqualTo(ROUNDS);
    assertThat(state.map().ended().ranges()).containsExactly(new Range(first, last));
    assertThat(mapBytes()).isLessThan(bytes);

    ManagerState restored = new ManagerState();
    restored.restore(state.snapshot());
    assertThat(restored.map().ended()).isEqualTo(state.map().ended());
    assertThat(restored.apply(ManagerStateTest.create("i", 1)))
        .isEqualTo(new Result.Made(last + 1, List.of()));
  }

  @Test
  void instancesThatLiveOnCostARangeEachAtMost() {
    form();
    int kept = 20;
    for (int i = 0; i < kept; i++) {
      create("kept-" + i);
      for (int j = 0; j < 10; j++) destroy(create("i"));
    }
    assertThat(state.map().ended().ranges()).hasSize(kept);
    assertThat(state.map().ended().count()).isEqualTo(10L * kept);
    for (int i = 0; i < kept; i++) destroy(state.map().instance("kept-" + i).id());
    assertThat(state.map().ended().ranges()).hasSize(1);
  }

  @Test
  void aUserHasNoMoreThanItsShare() {
    form();
    int instances = Math.toIntExact(Limit.INSTANCES_PER_USER.value());
    for (int i = 0; i < instances; i++) create("i" + i);
    Result.Refused refused = (Result.Refused) state.apply(ManagerStateTest.create("more", 1));
    assertThat(refused.code()).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(refused.sentence())
        .isEqualTo("user 1000 has as many instances as one user may have; destroy some");
    assertThat(InstanceRules.checkShare(USER + 1, state.map())).isNull();
    assertThat(InstanceRules.checkShare(Identity.ROOT, state.map())).isNull();
    destroy(state.map().instance("i0").id());
    create("more");
  }
}
