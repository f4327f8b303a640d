// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.testing.TestSeed;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Names.Lock;
import io.forebay.wire.message.Names.LockKind;
import io.forebay.wire.message.Names.LockState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LockTableTest {
  private static final long END = Long.MAX_VALUE;
  private static final int FILE = 7;

  private final LockTable locks = new LockTable();
  private long lastTicket;

  private static Lock range(long owner, boolean exclusive, long first, long last) {
    return new Lock(FILE, LockKind.RANGE, owner, 1, exclusive, first, last);
  }

  private static Lock whole(long owner, boolean exclusive) {
    return new Lock(FILE, LockKind.WHOLE, owner, 1, exclusive, 0, END);
  }

  private LockState attempt(long session, Lock lock) throws Refused {
    return locks.set(session, new Names.SetLock(lock, 0));
  }

  /** Waits; its ticket. */
  private long await(long session, Lock lock) throws Refused {
    long ticket = ++lastTicket;
    assertThat(locks.set(session, new Names.SetLock(lock, ticket))).isEqualTo(LockState.WAITING);
    return ticket;
  }

  private void unlock(long session, long owner, long first, long last) throws Refused {
    locks.unlock(session, new Names.Unlock(FILE, LockKind.RANGE, owner, first, last));
  }

  private List<String> held() {
    List<String> all = new ArrayList<>();
    for (LockTable.Held each : locks.heldOf(FILE)) {
      Lock lock = each.lock();
      String type = lock.exclusive() ? "x" : "s";
      all.add(
          "%d.%d %s %d-%d"
              .formatted(each.session(), lock.owner(), type, lock.first(), lock.last()));
    }
    all.sort(null);
    return all;
  }

  @Test
  void readersShareAndWritersExclude() throws Refused {
    assertThat(attempt(1, range(1, false, 0, 9))).isEqualTo(LockState.HELD);
    assertThat(attempt(2, range(1, false, 5, 20))).isEqualTo(LockState.HELD);
    assertThat(attempt(2, range(1, true, 8, 20))).isEqualTo(LockState.TAKEN);
    assertThat(attempt(2, range(1, true, 10, 20))).isEqualTo(LockState.HELD);
    assertThat(attempt(1, range(2, false, 20, 20))).isEqualTo(LockState.TAKEN);
    // Of the other kind.
    assertThat(attempt(3, whole(1, true))).isEqualTo(LockState.HELD);
    assertThat(held()).containsExactly("1.1 s 0-9", "2.1 s 5-9", "2.1 x 10-20", "3.1 x 0-" + END);
  }

  @Test
  void anOwnersNewLockReplacesSplitsAndJoins() throws Refused {
    attempt(1, range(1, true, 0, 99));
    attempt(1, range(1, false, 40, 59));
    assertThat(held()).containsExactly("1.1 s 40-59", "1.1 x 0-39", "1.1 x 60-99");
    unlock(1, 1, 45, 49);
    assertThat(held()).containsExactly("1.1 s 40-44", "1.1 s 50-59", "1.1 x 0-39", "1.1 x 60-99");
    attempt(1, range(1, true, 40, 59));
    assertThat(held()).containsExactly("1.1 x 0-99");
    unlock(1, 1, 0, END);
    assertThat(held()).isEmpty();
  }

  @Test
  void thoseThatWaitGetTheirTurnInOrder() throws Refused {
    attempt(1, range(1, false, 0, 9));
    long writer = await(2, range(1, true, 0, 9));
    // Though it could share: else readers that follow each other would keep the writer waiting.
    long reader = await(3, range(1, false, 0, 9));
    assertThat(attempt(4, range(1, false, 0, 9))).isEqualTo(LockState.HELD);
    unlock(4, 1, 0, 9);
    assertThat(locks.isWaiting(2, writer)).isTrue();
    unlock(1, 1, 0, END);
    assertThat(locks.isWaiting(2, writer)).isFalse();
    assertThat(locks.isWaiting(3, reader)).isTrue();
    unlock(2, 1, 0, END);
    assertThat(held()).containsExactly("3.1 s 0-9");
  }

  @Test
  void aRequestThatIsCancelledOrWhoseSessionEndsWaitsNoMore() throws Refused {
    attempt(1, range(1, true, 0, 9));
    long first = await(2, range(1, true, 0, 9));
    await(3, range(1, true, 0, 9));
    assertThat(locks.cancel(2, first)).isTrue();
    assertThat(locks.cancel(2, first)).isFalse();
    locks.ended(3);
    locks.ended(1);
    assertThat(held()).isEmpty();
    assertThat(locks.allWaiting()).isEmpty();
  }

  @Test
  void theEndOfASessionFreesWhatOthersWaitFor() throws Refused {
    attempt(1, whole(1, true));
    attempt(1, range(1, true, 0, 9));
    long ticket = await(2, range(9, true, 0, 0));
    locks.ended(1);
    assertThat(locks.isWaiting(2, ticket)).isFalse();
    assertThat(held()).containsExactly("2.9 x 0-0");
  }

  @Test
  void aCycleIsRefused() throws Refused {
    attempt(1, range(1, true, 0, 0));
    attempt(2, range(1, true, 1, 1));
    attempt(3, range(1, true, 2, 2));
    await(1, range(1, true, 1, 1));
    await(2, range(1, true, 2, 2));
    Names.SetLock closing = new Names.SetLock(range(1, true, 0, 0), 99);
    assertThatThrownBy(() -> locks.set(3, closing))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.reply().toString()).contains(ErrorCode.DEADLOCK.name()));
    // It may go on without.
    unlock(3, 1, 2, 2);
    assertThat(held()).contains("2.1 x 1-2");
  }

  /** Two that share and both want all would wait for each other: flock lets go first. */
  @Test
  void wholeFilesAreLetGoBeforeTheyAreTakenAnew() throws Refused {
    attempt(1, whole(1, false));
    attempt(2, whole(1, false));
    assertThat(attempt(1, whole(1, true))).isEqualTo(LockState.TAKEN);
    assertThat(held()).containsExactly("2.1 s 0-" + END);
    assertThat(attempt(2, whole(1, true))).isEqualTo(LockState.HELD);
  }

  @Test
  void whoHoldsItIsTold() throws Refused {
    attempt(1, range(5, true, 10, 19));
    LockTable.Held found = locks.find(2, range(5, false, 0, END));
    assertThat(found).isNotNull();
    assertThat(found.lock().first()).isEqualTo(10);
    assertThat(locks.find(1, range(5, true, 0, END))).isNull();
  }

  @Test
  void locksAreBounded() throws Refused {
    for (int i = 0; i < LockTable.LOCKS_MAX; i++) attempt(1, range(i, false, 0, 0));
    assertThatThrownBy(() -> attempt(1, range(-1, false, 0, 0))).isInstanceOf(Refused.class);
    for (int i = 1; i < LockTable.FILES_MAX; i++) {
      attempt(1, new Lock(FILE + i, LockKind.WHOLE, 1, 1, true, 0, END));
    }
    Lock further = new Lock(FILE - 1, LockKind.WHOLE, 1, 1, true, 0, END);
    assertThatThrownBy(() -> attempt(1, further)).isInstanceOf(Refused.class);
    locks.ended(1);
    assertThat(attempt(1, further)).isEqualTo(LockState.HELD);
  }

  @Test
  void neverTwoThatExcludeEachOther() throws Refused {
    long seed = TestSeed.first("LockTableTest");
    Random random = new Random(seed);
    for (int step = 0; step < 3000; step++) {
      long session = random.nextInt(4);
      long first = random.nextInt(20);
      long last = first + random.nextInt(10);
      LockKind kind = random.nextInt(4) == 0 ? LockKind.WHOLE : LockKind.RANGE;
      Lock lock = new Lock(FILE, kind, random.nextInt(2), 0, random.nextBoolean(), first, last);
      try {
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> attempt(session, lock);
          case 3 -> locks.set(session, new Names.SetLock(lock, ++lastTicket));
          case 4, 5, 6 ->
              locks.unlock(session, new Names.Unlock(FILE, kind, lock.owner(), first, last));
          default -> locks.ended(session);
        }
      } catch (Refused refused) {
        assertThat(refused.reply().toString()).contains(ErrorCode.DEADLOCK.name());
      }
      List<LockTable.Held> all = locks.heldOf(FILE);
      for (LockTable.Held one : all) {
        for (LockTable.Held other : all) {
          assertThat(one.excludes(other)).as("seed %d, step %d", seed, step).isFalse();
        }
      }
    }
  }
}
