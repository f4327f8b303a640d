// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.DrainSpec;
import io.forebay.seat.TestSeat;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.backing.DirectBacking;
import io.forebay.seat.drain.TestTree;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadThroughTest {
  private final TestSeat seat =
      new TestSeat()
          .follow(
              SmallRing.of(1)
                  .group(1, 1, SmallRing.current(1))
                  .instance(TestTree.INSTANCE, false, new DrainSpec("file:/store", ""))
                  .map());
  private final TestTree tree = new TestTree(seat);
  private final DirectBacking backing = new DirectBacking();
  private final LimitCounts limits = new LimitCounts();
  private final ReadThrough reads =
      new ReadThrough(
          new Backings(seat.basics(), (address, owner) -> backing),
          tree.home(),
          new NotCached(),
          limits);

  private static final class NotCached implements ReadTree.All {
    @Override
    public @Nullable ReadTree tree(int instance, int tree) {
      return null;
    }

    @Override
    public @Nullable ReadTree known(int instance, int tree) {
      return null;
    }
  }

  @Test
  void readsForWhichTheStoreHasNoRoomAreCounted() {
    long file = tree.write("f");
    tree.drain(file);
    tree.evict(file);
    backing.setRoom(0);
    Data.GetBacked message =
        new Data.GetBacked(
            tree.home().group().id(), 1, TestTree.INSTANCE, 0, 7, Identity.root(), file, 0, 10);
    reads.get(new ReadThrough.Asker(seat.client(), 3, message));
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    assertThat(((Replies.Failed) sent.getFirst().message()).code()).isEqualTo(ErrorCode.BUSY);
    assertThat(limits.of(Limit.BACKING_READS)).isEqualTo(1);
  }
}
