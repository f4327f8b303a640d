// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnreachedManagersTest {
  private static final Address ONE = new Address.Inet("one", 7070);
  private static final Address TWO = new Address.Inet("two", 7070);
  private static final Address THREE = new Address.Inet("three", 7070);
  private static final List<Address> ALL = List.of(ONE, TWO, THREE);

  private long now;
  private final UnreachedManagers unreached = new UnreachedManagers(() -> now);

  @Test
  void aFailedDialCountsForAWhileOrUntilOneSucceeds() {
    unreached.failed(ONE);
    unreached.failed(TWO);
    assertThat(unreached.has(ONE)).isTrue();
    assertThat(unreached.has(THREE)).isFalse();
    unreached.reached(TWO);
    assertThat(unreached.has(TWO)).isFalse();
    now += UnreachedManagers.COUNTS_NANOS;
    assertThat(unreached.has(ONE)).isFalse();
  }

  @Test
  void theNextOneIsOneThatMayBeReached() {
    assertThat(unreached.next(ALL, 4)).isEqualTo(1);
    unreached.failed(TWO);
    unreached.failed(THREE);
    assertThat(unreached.next(ALL, 1)).isZero();
    unreached.failed(ONE);
    assertThat(unreached.next(ALL, 1)).as("none may").isEqualTo(1);
  }

  /** A manager may name any number of others. */
  @Test
  void onlySoManyAreRemembered() {
    for (int i = 0; i <= ManagerAddresses.ADDRESSES_MAX; i++) {
      unreached.failed(new Address.Inet("host" + i, 7070));
    }
    Address last = new Address.Inet("host" + ManagerAddresses.ADDRESSES_MAX, 7070);
    assertThat(unreached.has(last)).isFalse();
    now += UnreachedManagers.COUNTS_NANOS;
    unreached.failed(last);
    assertThat(unreached.has(last)).isTrue();
  }
}
