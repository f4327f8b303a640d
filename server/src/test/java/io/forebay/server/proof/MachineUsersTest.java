// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.seat.manager.access.UserDirectory.Found;
import io.forebay.wire.message.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lookups of users for a loop, which must not wait. */
@Timeout(60)
class MachineUsersTest {
  private static final int SLOW = 7;

  private final Semaphore woken = new Semaphore(0);
  private final List<Found> answers = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();

  private static Identity user(int number) {
    return new Identity(number, List.of(number));
  }

  @Test
  void aThreadLooksUpAndAMinuteLongTheAnswerIsKnown() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    SystemUsers system =
        new SystemUsers(
            number -> {
              if (number == SLOW) await(gate);
              return number == 0 ? null : new SystemUsers.User("u", List.of(100, number));
            },
            nanos::get);
    try (MachineUsers users = new MachineUsers(system, woken::release)) {
      users.find(user(SLOW), answers::add);
      assertThat(answers).as("the caller does not wait").isEmpty();
      assertThat(users.poll()).isFalse();
      gate.countDown();
      woken.acquire();
      assertThat(users.poll()).isTrue();
      assertThat(answers).containsExactly(new Found.Groups(List.of(100, SLOW)));
      users.find(user(SLOW), answers::add);
      assertThat(answers).as("the second answer comes at once").hasSize(2);
      nanos.addAndGet(SystemUsers.REMEMBERED_NANOS);
      users.find(user(SLOW), answers::add);
      assertThat(answers).hasSize(2);
      woken.acquire();
      users.poll();
      assertThat(answers).hasSize(3);
      users.find(user(0), answers::add);
      woken.acquire();
      users.poll();
      assertThat(answers.get(3)).isInstanceOf(Found.Unknown.class);
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
