// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingFailure;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.namespace.GroupState;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.seat.TestSeat;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.backing.DirectBacking;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.names.HomeNames;
import io.forebay.seat.part.ServingHome;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.seat.put.HomePuts;
import io.forebay.wire.Limit;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackedPutsTest {
  private static final GroupId GROUP = SmallRing.id(1, 1);
  private static final RecordId RECORD = new RecordId(4, 256);
  private static final FileId FILE = new FileId(1, 5);

  private final TestSeat seat =
      new TestSeat()
          .follow(
              SmallRing.of(1)
                  .group(1, 1, current(1))
                  .instance(1, false, new DrainSpec("file:/store", ""))
                  .map());
  private final DirectBacking backing = new DirectBacking();
  private final Home home = new Home();
  private final BackedPuts puts =
      new BackedPuts(
          seat.basics(),
          new Backings(seat.basics(), (address, owner) -> backing),
          seat.holds(),
          home);

  /** A home at which no piece arrives in these tests. */
  private static final class Home extends ServingHome implements DrainHome {
    Home() {
      super(
          new Group(GROUP, 7, List.of(current(1))), new GroupState(GROUP), (command, change) -> {});
    }

    @Override
    public HomeNames names() {
      throw new IllegalStateException("no names are needed");
    }

    @Override
    public HomePuts puts() {
      throw new IllegalStateException("nothing was read");
    }
  }

  private ErrorCode refusal(String name, long offset, int lengthBytes) {
    puts.put(
        seat.client(),
        3,
        new Data.PutBacked(GROUP, 7, RECORD, FILE, name, "tag", offset, lengthBytes, false));
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    return ((Replies.Failed) sent.getFirst().message()).code();
  }

  @Test
  void piecesThatMakeNoSenseAreRefused() {
    int max = seat.basics().store().config().payloadBytesMax();
    assertThat(refusal("f", -1, 10)).isEqualTo(ErrorCode.INVALID);
    assertThat(refusal("f", 0, 0)).isEqualTo(ErrorCode.INVALID);
    assertThat(refusal("f", 0, max + 1)).isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void aNameThatCannotBeInAStoreIsRefused() {
    assertThat(refusal("../f", 0, 10)).isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void aHomeThatDoesNotServeReadsNothing() {
    home.setServing(false);
    assertThat(refusal("f", 0, 10)).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void aBusyStoreIsNotAsked() {
    backing.setRoom(0);
    assertThat(refusal("f", 0, 10)).isEqualTo(ErrorCode.BUSY);
    assertThat(seat.basics().counters().limits().of(Limit.BACKING_READS)).isEqualTo(1);
  }

  @Test
  void bytesThatTheStoreDoesNotGiveAreNotKept() {
    backing.fail(new BackingFailure.Unavailable("away"));
    assertThat(refusal("f", 0, 10)).isEqualTo(ErrorCode.UNAVAILABLE);
    backing.fail(new BackingFailure.ChangedUnderneath("another tag"));
    assertThat(refusal("f", 0, 10)).isNotEqualTo(ErrorCode.NONE);
  }
}
