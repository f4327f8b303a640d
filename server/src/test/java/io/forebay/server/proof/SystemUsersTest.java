// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.MonotonicClock;
import io.forebay.client.host.LocalIdentity;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Users that the machine knows, and how long they are remembered. */
class SystemUsersTest {
  private static final int NOBODY_AT_ALL = 987_654_321;

  @Test
  void theUserOfThisProcessHasItsNameAndGroups() {
    SystemUsers users = new SystemUsers(MonotonicClock.system());
    int self = LocalIdentity.current().user();
    SystemUsers.User found = users.find(self);
    assertThat(found).isNotNull();
    assertThat(found.name()).isEqualTo(System.getProperty("user.name"));
    assertThat(found.groups()).contains(LocalIdentity.current().primaryGroup());
    assertThat(users.find(NOBODY_AT_ALL)).isNull();
  }

  @Test
  void usersAreRememberedForAWhileAndNotTooMany() {
    AtomicInteger asked = new AtomicInteger();
    AtomicLong nanos = new AtomicLong();
    SystemUsers users =
        new SystemUsers(
            user -> {
              asked.incrementAndGet();
              return user < 0 ? null : new SystemUsers.User("u" + user, List.of(user));
            },
            nanos::get);
    users.find(1);
    users.find(-1);
    users.find(1);
    users.find(-1);
    assertThat(asked.get()).as("unknown ones too").isEqualTo(2);
    nanos.addAndGet(SystemUsers.REMEMBERED_NANOS);
    users.find(1);
    assertThat(asked.get()).isEqualTo(3);
    for (int i = 2; i < SystemUsers.REMEMBERED_MAX + 2; i++) users.find(i);
    asked.set(0);
    users.find(1);
    assertThat(asked.get()).as("the oldest one was forgotten").isEqualTo(1);
    users.find(SystemUsers.REMEMBERED_MAX + 1);
    assertThat(asked.get()).isEqualTo(1);
  }
}
