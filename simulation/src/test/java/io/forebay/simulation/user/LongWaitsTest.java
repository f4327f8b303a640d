// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static io.forebay.simulation.user.LongWaits.HEALED_NANOS;
import static io.forebay.simulation.user.LongWaits.LONG_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LongWaitsTest {
  private long now = 1000;
  private int healed;
  private final LongWaits waits = new LongWaits(() -> now, () -> healed++);
  private final List<User> users = List.of(new User("user 1"), new User("user 2"));

  private final class User implements LongWaits.Waiter {
    private final String name;
    private long sinceNanos = now;

    User(String name) {
      this.name = name;
    }

    @Override
    public long waitedNanos() {
      return now - sinceNanos;
    }

    @Override
    public String name() {
      return name;
    }
  }

  @Test
  void anOperationThatEndsOnceFaultsHaveEndedDoesNotHang() {
    now += LONG_NANOS;
    assertThat(waits.look(users)).isEmpty();
    assertThat(healed).isZero();
    now++;
    assertThat(waits.look(users)).isEmpty();
    assertThat(healed).isEqualTo(1);
    assertThat(waits.isUndecided(users)).isTrue();
    now += HEALED_NANOS;
    assertThat(waits.look(users)).isEmpty();
    users.forEach(user -> user.sinceNanos = now);
    assertThat(waits.isUndecided(users)).isFalse();
    now++;
    assertThat(waits.look(users)).isEmpty();
    assertThat(healed).isEqualTo(1);
  }

  @Test
  void anOperationThatDoesNotEndThenHangs() {
    now += LONG_NANOS + 1;
    assertThat(waits.look(users)).isEmpty();
    users.get(0).sinceNanos = now;
    now += HEALED_NANOS + 1;
    assertThat(waits.look(users))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.rule()).isEqualTo("I5");
              assertThat(problem.sentence())
                  .isEqualTo("user 2 has waited for 130 s, the last 40 s without faults");
            });
  }

  @Test
  void anOperationThatBeganAfterTheFaultsHasItsTimeToo() {
    now += LONG_NANOS + 1;
    assertThat(waits.look(users)).isEmpty();
    users.forEach(user -> user.sinceNanos = now);
    now += LONG_NANOS;
    assertThat(waits.look(users)).isEmpty();
    now++;
    assertThat(waits.look(users)).hasSize(2);
  }
}
