// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.right;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.proof.ContentKey;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HomeKeysTest {
  private static final GroupId GROUP = GroupId.of(new SeatId(1), 2);
  private static final GroupId OTHER = GroupId.of(new SeatId(2), 2);
  private static final int SHARED = 3;
  private static final int PRIVATE = 4;

  private final GroupState state = new GroupState(GROUP);
  private long index;
  private final HomeKeys keys =
      new HomeKeys(() -> state, (command, instance) -> apply(command), new SplittableRandom(5));

  private void apply(GroupCommand command) {
    state.apply(++index, command);
  }

  private void begin(int instance, boolean privateTrees) {
    apply(new GroupCommand.BeginTree(instance, 0, 0, 0, 0, privateTrees, 1));
  }

  private Message ask(int instance, int tree) {
    return keys.answer(new Data.AskKey(GROUP, 1, instance, tree));
  }

  private static void unavailable(Message answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Replies.Failed.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  @Test
  void aTreeThatHasNoKeyGetsOneWhenServingBegins() {
    begin(SHARED, false);
    unavailable(ask(SHARED, 0));
    Names.RunsAre runs = new Names.RunsAre(1, 1, 1, 0, List.of());
    unavailable(keys.proven(SHARED, 17, runs));
    keys.served();
    ContentKey key = ContentKey.of(((Data.KeyIs) ask(SHARED, 0)).key());
    assertThat(keys.proven(SHARED, 17, runs))
        .isEqualTo(runs.with(key.proofOf(new FileId(SHARED, 17))));
    long drawn = index;
    keys.served();
    assertThat(index).isEqualTo(drawn);
    // The first one counts.
    keys.begun(SHARED, 0);
    assertThat(state.key(SHARED, 0)).isEqualTo(key);
  }

  @Test
  void treesHaveKeysOfTheirOwn() {
    begin(SHARED, false);
    begin(PRIVATE, true);
    keys.served();
    assertThat(ask(SHARED, 0)).isNotEqualTo(ask(PRIVATE, 0));
  }

  @Test
  void theListOfTreesTellsWhereATreeIs() {
    begin(PRIVATE, true);
    apply(new GroupCommand.NameTree(PRIVATE, "node", OTHER));
    assertThat(ask(PRIVATE, 1)).isEqualTo(new Data.TreeIsIn(OTHER));
    unavailable(ask(PRIVATE, 2));
    unavailable(ask(99, 0));
  }
}
