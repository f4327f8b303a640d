// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.BUFFER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.SECOND;
import static io.forebay.namespace.TestGroup.SESSION;
import static io.forebay.namespace.TestGroup.TREE;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions begin once and end once, and what they do is done once. */
class SessionsTest {
  private static final SessionKey KEY = new SessionKey(BUFFER, TREE, SESSION);

  private final TestGroup group = TestGroup.begun(1_000);

  private static Names.MakeDirectory mkdir(String path) {
    return new Names.MakeDirectory(ROOT, path, 0755);
  }

  private Message changeDoneBelow(long op, long doneBelow, Names.Change change) {
    return group.apply(
        new GroupCommand.ClientChange(
            BUFFER, TREE, SESSION, op, doneBelow, 0, group.who, group.now(), change));
  }

  private long promisedBytes() {
    return group.must(Names.UsageIs.class, group.ask(new Names.GetUsage())).promisedBytes();
  }

  @Test
  void beginningIsAnsweredWithTheTreeAndItsGroup() {
    Message reply = group.change(new Names.BeginSession("node", 99));
    assertThat(reply).isInstanceOf(Names.SessionIs.class);
    assertThat(group.state.sessions()).containsExactly(KEY);
    assertThat(group.state.expiryNanos(KEY)).isEqualTo(SECOND);
    assertThat(group.tryAsk(new Names.KeepAlive())).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void anEndedSessionStaysEnded() {
    group.change(new Names.TakeRoom(500));
    assertThat(promisedBytes()).isEqualTo(500);
    group.change(new Names.EndSession());
    assertThat(group.applied.ended()).containsExactly(KEY);
    assertThat(promisedBytes()).isZero();
    assertThat(group.state.sessions()).isEmpty();
    assertThat(group.state.expiryNanos(KEY)).isZero();
    assertThat(group.tryAsk(new Names.KeepAlive())).isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(group.tryChange(mkdir("d"))).isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(group.tryChange(new Names.BeginSession("node", SECOND)))
        .isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(group.change(new Names.EndSession())).isEqualTo(new Replies.Done());
    assertThat(group.applied.ended()).isEmpty();
  }

  @Test
  void expiryEndsASessionOnce() {
    GroupCommand expiry = new GroupCommand.ExpireSession(BUFFER, TREE, SESSION, 1);
    group.apply(expiry);
    assertThat(group.applied.ended()).containsExactly(KEY);
    group.apply(expiry);
    assertThat(group.applied.ended()).isEmpty();
  }

  @Test
  void whoNeverBeganChangesNothing() {
    group.session = 99;
    assertThat(group.tryChange(mkdir("d"))).isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(group.tryChange(new Names.EndSession())).isEqualTo(ErrorCode.SESSION_ENDED);
    group.session = 0;
    assertThat(group.tryChange(new Names.BeginSession("n", 1))).isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void refusalsAreRememberedToo() {
    long op = group.op + 1;
    assertThat(group.tryChange(new Names.Unlink(ROOT, "f"))).isEqualTo(ErrorCode.NOT_FOUND);
    group.create("f");
    assertThat(group.code(group.change(op, new Names.Unlink(ROOT, "f"))))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(group.stat("f").links()).isEqualTo(1);
  }

  @Test
  void whatIsForgottenIsNotDoneAgain() {
    changeDoneBelow(10, 0, mkdir("a"));
    changeDoneBelow(11, 11, mkdir("b"));
    assertThat(group.code(changeDoneBelow(10, 0, new Names.RemoveDirectory(ROOT, "a"))))
        .isEqualTo(ErrorCode.INVALID);
    assertThat(group.stat("a").links()).isEqualTo(2);
    assertThat(group.code(changeDoneBelow(11, 0, new Names.RemoveDirectory(ROOT, "a"))))
        .isEqualTo(ErrorCode.NONE);
    assertThat(group.stat("a").links()).isEqualTo(2);
  }

  @Test
  void zeroIsDoneEachTime() {
    assertThat(group.code(group.change(0, mkdir("a")))).isEqualTo(ErrorCode.NONE);
    assertThat(group.code(group.change(0, mkdir("a")))).isEqualTo(ErrorCode.EXISTS);
  }

  @Test
  void answersToRememberAreBounded() {
    for (int op = 1; op <= 4_096; op++) {
      assertThat(group.code(group.change(op, new Names.Release(5)))).isEqualTo(ErrorCode.NONE);
    }
    assertThat(group.code(group.change(4_097, mkdir("a")))).isEqualTo(ErrorCode.INVALID);
    assertThat(group.code(changeDoneBelow(4_097, 4_000, mkdir("a")))).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void aRecordIsPublishedOnce() {
    long first = group.create("f").number();
    long second = group.create("g").number();
    group.publish(first, piece(0, 10, 1));
    group.publish(first, piece(0, 10, 2));
    assertThat(group.applied.dead()).hasSize(1);
    // The first record is dead by now: it must come back neither here nor elsewhere.
    group.publish(first, piece(5, 10, 1));
    assertThat(group.applied.dead()).isEmpty();
    group.publish(second, piece(0, 10, 1));
    assertThat(group.stat("f").sizeBytes()).isEqualTo(10);
    assertThat(group.stat("g").sizeBytes()).isZero();
    assertThat(group.runs(first)).hasSize(1);
  }

  @Test
  void sessionsDoNotShareNumbersOrRoom() {
    long number =
        group.must(Names.NumbersAre.class, group.change(new Names.TakeNumbers(5))).first();
    group.change(new Names.TakeRoom(1_000));
    group.session = 2;
    group.change(new Names.BeginSession("n", 1));
    assertThat(group.tryChange(new Names.PutPair("k", number, 0, List.of())))
        .isEqualTo(ErrorCode.INVALID);
    assertThat(group.tryChange(new Names.TakeRoom(1))).isEqualTo(ErrorCode.NO_SPACE);
    long file = group.create("f").number();
    Names.Publish publish = new Names.Publish(file, false, false, List.of(piece(0, 1, 1)));
    assertThat(group.tryChange(publish)).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(group.stat("f").sizeBytes()).isZero();
    group.session = SESSION;
    assertThat(group.tryChange(publish)).isEqualTo(ErrorCode.NONE);
    assertThat(promisedBytes()).isEqualTo(999);
    assertThat(group.tryChange(new Names.PutPair("k", number, 0, List.of())))
        .isEqualTo(ErrorCode.NONE);
    assertThat(group.tryChange(new Names.PutPair("l", number, 0, List.of())))
        .isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void destroyedInstancesEndTheirSessions() {
    group.apply(new GroupCommand.DropEnded(EndedInstances.NONE.with(BUFFER)));
    assertThat(group.applied.ended()).containsExactly(KEY);
    assertThat(group.tryChange(mkdir("a"))).isEqualTo(ErrorCode.UNKNOWN_INSTANCE);
    assertThat(group.tryAsk(new Names.GetUsage())).isEqualTo(ErrorCode.UNKNOWN_INSTANCE);
    assertThat(group.dead(SESSION, List.of(1L))).isEmpty();
  }
}
