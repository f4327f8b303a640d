// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.seat.TestSeat;
import io.forebay.seat.drain.TestTree;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.Limit;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackingLooksTest {
  private static final Names.Request ASK =
      new Names.Request(
          new GroupId(1),
          1,
          1,
          0,
          1,
          1,
          0,
          0,
          true,
          Identity.root(),
          new Names.Lookup(5, "f", true));

  private final TestSeat seat = new TestSeat();
  private final TestTree tree = new TestTree(seat);
  private final BackingLooks looks = new BackingLooks(seat.basics(), null, tree);

  @Test
  void noMoreThanSoManyWaitForADirectoryAndOthersAreCounted() {
    tree.deactivate();
    long all = Limit.BACKING_LOOKS.value();
    for (long i = 1; i <= all + 1; i++) {
      assertThat(seat.takeSent()).isEmpty();
      looks.await(5, new BackingLooks.Waiting(seat.client(), i, ASK));
    }
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    assertThat(((Replies.Failed) sent.getFirst().message()).code()).isEqualTo(ErrorCode.BUSY);
    assertThat(seat.basics().counters().limits().of(Limit.BACKING_LOOKS)).isEqualTo(1);
  }
}
