// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final long MILLI = 1_000_000L;
  private static final long FIRST = 2 * MILLI;
  private static final long MAX = 500 * MILLI;
  private static final long ALLOWED = 30_000 * MILLI;
  private static final GroupId GROUP = GroupId.of(new SeatId(1), 2);

  private long nanos = 5_000 * MILLI;
  private final Timers timers = new Timers(() -> nanos);
  private final List<String> warned = new ArrayList<>();
  private final Asked asked = new Asked();
  private final Retry retry =
      new Retry(
          new Retry.Ground(
              timers,
              Backoff.exact(FIRST, MAX),
              (since, why) -> warned.add((nanos - since) / MILLI + " ms: " + why)),
          ALLOWED,
          asked);

  /** A request that notes its tries. */
  private static final class Asked implements Retry.Request {
    final List<Retry.Try> tries = new ArrayList<>();
    @Nullable String givenUp;
    long triedNanos;

    @Override
    public void send(Retry.Try now) {
      tries.add(now);
    }

    @Override
    public void givenUp(String why, long nanos) {
      givenUp = why;
      triedNanos = nanos;
    }

    Retry.Try last() {
      return tries.get(tries.size() - 1);
    }
  }

  private static Group group(long epoch, int... seats) {
    List<Group.Member> members = new ArrayList<>();
    for (int seat : seats) members.add(new Group.Member(new SeatId(seat), 1, true));
    return new Group(GROUP, epoch, members);
  }

  /** Lets time pass until the next try, and says how long that took. */
  private long untilNext() {
    int before = asked.tries.size();
    long since = nanos;
    while (asked.tries.size() == before) {
      assertThat(timers.nextNanos()).as("something is to happen").isNotEqualTo(Timers.NEVER);
      nanos += timers.nextNanos();
      timers.runDue();
    }
    return nanos - since;
  }

  private void pass(long passed) {
    nanos += passed;
    timers.runDue();
  }

  /** Fails again and again until it is given up; says how long that took. */
  private long failUntilGivenUp(String why) {
    long since = nanos;
    while (true) {
      retry.again(why);
      if (asked.givenUp != null) return nanos - since;
      untilNext();
    }
  }

  @Test
  void beginsAtOnceAndIsOverOnceAnswered() {
    assertThat(retry.isAsking()).isFalse();
    retry.start();
    assertThat(asked.tries).hasSize(1);
    assertThat(asked.last().isCurrent()).isTrue();
    assertThat(retry.isAsking()).isTrue();
    assertThat(retry.askedNanos()).isEqualTo(nanos);
    retry.end();
    assertThat(retry.isOver()).isTrue();
    assertThat(asked.last().isCurrent()).isFalse();
    assertThatThrownBy(retry::atOnce).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isStartedOnce() {
    retry.start();
    assertThatThrownBy(retry::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void waitsLongerAfterEachRefusalUpToTheBound() {
    retry.start();
    long expected = FIRST;
    for (int failures = 1; failures < 15; failures++) {
      retry.again("overloaded");
      assertThat(retry.isAsking()).isFalse();
      assertThat(untilNext()).as("failure %d", failures).isEqualTo(expected);
      expected = Math.min(MAX, 2 * expected);
    }
  }

  @Test
  void whatArrivesForAnEarlierTryIsIgnored() {
    retry.start();
    Retry.Try first = asked.last();
    retry.again("refused");
    assertThat(first.isCurrent()).as("while the next one waits").isFalse();
    untilNext();
    assertThat(first.isCurrent()).isFalse();
    assertThat(asked.last().isCurrent()).isTrue();
  }

  @Test
  void aRedirectGoesAtOnceAndWaitsForNothingElse() {
    retry.start();
    retry.again("refused");
    retry.atOnce();
    assertThat(asked.tries).hasSize(2);
    pass(MAX);
    assertThat(asked.tries).as("the try that waited is superseded").hasSize(2);
    assertThat(asked.last().isCurrent()).isTrue();
    retry.again("refused");
    assertThat(untilNext()).as("a redirect is no failure").isEqualTo(2 * FIRST);
  }

  @Test
  void anotherMemberIsAskedAtOnceAndOnlyARoundOfThemCounts() {
    retry.start();
    for (int round = 0; round < 3; round++) {
      for (int member = 0; member < 2; member++) {
        retry.again("not here", () -> Retry.Next.OTHER_MEMBER);
        assertThat(untilNext()).isZero();
      }
      retry.again("not here");
      assertThat(untilNext()).isEqualTo(FIRST << round);
    }
  }

  @Test
  void anotherGroupIsAskedAtOnceUnlessManyHaveFailed() {
    retry.start();
    for (int failures = 1; failures <= Retry.OTHER_GROUPS_AT_ONCE_MAX; failures++) {
      retry.again("slow", () -> Retry.Next.OTHER_GROUP);
      assertThat(untilNext()).isZero();
    }
    retry.again("slow", () -> Retry.Next.OTHER_GROUP);
    assertThat(untilNext()).isEqualTo(FIRST << Retry.OTHER_GROUPS_AT_ONCE_MAX);
  }

  @Test
  void givesUpAtTheDeadlineAndTellsTheLastReason() {
    retry.start();
    retry.again("first reason");
    untilNext();
    pass(ALLOWED - FIRST - 1);
    retry.again("not yet");
    assertThat(asked.givenUp).isNull();
    untilNext();
    retry.again(
        "last reason",
        () -> {
          throw new AssertionError("there is no next try");
        });
    assertThat(asked.givenUp).isEqualTo("last reason");
    assertThat(asked.triedNanos).isEqualTo(ALLOWED);
    assertThat(retry.isOver()).isTrue();
    assertThat(timers.nextNanos()).isEqualTo(Timers.NEVER);
  }

  @Test
  void theDeadlineBeginsWhenTheRequestWasFirstAwaited() {
    long since = nanos - ALLOWED + MILLI;
    retry.start(since);
    assertThat(retry.startNanos()).isEqualTo(since);
    pass(MILLI);
    retry.again("too late");
    assertThat(asked.givenUp).isEqualTo("too late");
  }

  @Test
  void aServerThatWorkedSinceItWasAskedIsProgress() {
    retry.start();
    pass(ALLOWED - MILLI);
    retry.unanswered(nanos);
    long tried = failUntilGivenUp("silent");
    assertThat(tried).isBetween(ALLOWED, ALLOWED + MAX);
    assertThat(asked.triedNanos).as("told is the whole time").isEqualTo(ALLOWED - MILLI + tried);
  }

  @Test
  void aServerThatWorkedOnlyBeforeItWasAskedIsNone() {
    retry.start();
    retry.again("refused");
    untilNext();
    pass(ALLOWED - FIRST - 1);
    retry.unanswered(nanos - ALLOWED + FIRST);
    assertThat(failUntilGivenUp("silent")).isLessThanOrEqualTo(2 * FIRST);
  }

  @Test
  void anotherEpochOfTheSameGroupIsProgressAndAnotherGroupIsNone() {
    retry.start();
    retry.asksHome(group(3, 1, 2));
    pass(ALLOWED - MILLI);
    retry.asksHome(group(3, 1, 2));
    retry.asksHome(group(4, 1, 2));
    pass(ALLOWED - MILLI);
    retry.asksHome(
        new Group(
            GroupId.of(new SeatId(2), 2), 9, List.of(new Group.Member(new SeatId(2), 1, true))));
    assertThat(failUntilGivenUp("away")).isLessThanOrEqualTo(2 * FIRST);
  }

  @Test
  void progressThatNeverEndsIsGivenUpAsWell() {
    retry.start();
    long began = nanos;
    while (asked.givenUp == null) {
      retry.progressed(nanos);
      retry.again("slow");
      if (asked.givenUp == null) untilNext();
    }
    assertThat(nanos - began)
        .isBetween(Deadline.PROGRESS_TIMES * ALLOWED, Deadline.PROGRESS_TIMES * ALLOWED + MAX);
  }

  @Test
  void aMapWithAnotherHomeBeginsTheNextTryAtOnce() {
    retry.start();
    retry.mapChanged(group(1, 2, 1));
    assertThat(asked.tries).as("nobody was asked yet").hasSize(1);
    retry.asksHome(group(1, 1, 2));
    assertThat(retry.asked()).isEqualTo(new SeatId(1));
    retry.mapChanged(null);
    retry.mapChanged(group(2, 1, 2));
    assertThat(asked.tries).as("the home is the same").hasSize(1);
    retry.mapChanged(group(3, 2, 1));
    assertThat(asked.tries).hasSize(2);
    retry.asksHome(group(3, 2, 1));
    retry.again("refused");
    retry.mapChanged(group(4, 1, 2));
    assertThat(asked.tries).as("instead of the try that waits").hasSize(3);
    retry.end();
    retry.mapChanged(group(5, 2, 1));
    assertThat(asked.tries).hasSize(3);
  }

  @Test
  void tellsThatItWaitsSinceWhenAndWhy() {
    retry.start();
    pass(7 * MILLI);
    retry.again("seat-1 says: full");
    assertThat(warned).containsExactly("7 ms: seat-1 says: full");
  }
}
