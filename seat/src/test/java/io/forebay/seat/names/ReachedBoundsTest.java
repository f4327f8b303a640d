// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.ServingHome;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which answers of the state tell that a bound was reached. */
class ReachedBoundsTest {
  private static final Names.BeginSession BEGIN = new Names.BeginSession("n1", 1);

  private final LimitCounts counts = new LimitCounts();
  private final ReachedBounds bounds = new ReachedBounds(counts);

  private static Message failed(ErrorCode code) {
    return new Replies.Failed(code, "no");
  }

  private static Message pairs(boolean more) {
    return new Names.PairsAre(List.of(new Names.NamedPair("k", 1, 1)), more);
  }

  @Test
  void fullTreesAndFullListsOfTreesAreCounted() {
    Message full = failed(ErrorCode.BUSY);
    assertThat(bounds.noted(BEGIN, full)).isSameAs(full);
    bounds.noted(BEGIN, failed(ErrorCode.NO_SPACE));
    bounds.noted(BEGIN, failed(ErrorCode.NO_SPACE));
    bounds.noted(BEGIN, new Replies.Done());
    bounds.noted(new Names.EndSession(), full);
    assertThat(counts.of(Limit.SESSIONS)).isEqualTo(1);
    assertThat(counts.of(Limit.TREES)).isEqualTo(2);
  }

  @Test
  void changesAreCountedForWhichAServingHomeHasNoRoom() {
    FullHome home = new FullHome();
    assertThat(bounds.areChangesFull(home)).isFalse();
    home.full = true;
    assertThat(bounds.areChangesFull(home)).isTrue();
    assertThat(counts.of(Limit.CHANGES)).isEqualTo(1);
    home.setServing(false);
    assertThat(bounds.areChangesFull(home)).isTrue();
    assertThat(counts.of(Limit.CHANGES)).isEqualTo(1);
  }

  private static final class FullHome extends ServingHome {
    private boolean full;

    FullHome() {
      super(
          new Group(SmallRing.id(1, 1), 7, List.of(SmallRing.current(1))),
          new GroupState(SmallRing.id(1, 1)),
          (command, change) -> {});
    }

    @Override
    public boolean takesMore() {
      return !full;
    }
  }

  @Test
  void locksAreCountedThatFindNoRoom() {
    Names.Lock lock = new Names.Lock(5, Names.LockKind.RANGE, 1, 7, true, 0, 1);
    bounds.noted(new Names.SetLock(lock, 0), failed(ErrorCode.NO_SPACE));
    bounds.noted(new Names.SetLock(lock, 0), failed(ErrorCode.DEADLOCK));
    assertThat(counts.of(Limit.LOCKS)).isEqualTo(1);
  }

  @Test
  void pagesAreCountedThatAreShorterThanAskedFor() {
    bounds.noted(new Names.ListPairs("", "", 1), pairs(true));
    bounds.noted(new Names.ListPairs("", "", 2), pairs(false));
    assertThat(counts.of(Limit.LISTINGS)).isZero();
    bounds.noted(new Names.ListPairs("", "", 2), pairs(true));
    bounds.noted(
        new Names.ListDirectory(Names.ROOT, "", "", 1), new Names.Listing(List.of(), true));
    assertThat(counts.of(Limit.LISTINGS)).isEqualTo(2);
  }
}
