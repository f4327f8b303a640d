// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.ring.DrainSpec;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.Decisions;
import io.forebay.seat.manager.desk.InstanceDesk;
import io.forebay.seat.manager.desk.QuietEvents;
import io.forebay.seat.peer.RecordedNetwork;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A map without room takes no further instance, and that is counted. */
class FullMapTest {
  private final ManagerState state = new ManagerState();
  private final LimitCounts limits = new LimitCounts();
  private final RecordedNetwork network = new RecordedNetwork();
  private final InstanceDesk desk =
      new InstanceDesk(
          state,
          new Decisions(new Undecided(), state, new QuietEvents(), limits, () -> {}),
          1,
          limits);

  /** Never answers. */
  private static final class Undecided implements Consensus {
    @Override
    public void start(Machine machine, Leadership leadership) {}

    @Override
    public void propose(Bytes command, Proposer proposer) {}

    @Override
    public void confirm(Confirmation confirmation) {}

    @Override
    public List<Member> members() {
      return List.of();
    }
  }

  /** Commands take longer settings than requests do, so that a few instances fill the map. */
  private static Command.CreateInstance large(String name) {
    Command.CreateInstance small = ManagerStateTest.create(name, 1);
    return new Command.CreateInstance(
        small.op(),
        name,
        Identity.ROOT,
        Identity.ROOT,
        small.lifetime(),
        small.access(),
        0,
        1,
        false,
        small.whenDegraded(),
        small.placement(),
        new DrainSpec("file:/" + "b".repeat(LONG_CHARS), ""),
        "",
        small.tenancy(),
        "");
  }

  private static final int LONG_CHARS = 256 * 1024;

  private static Maps.CreateInstance request(String name) {
    return new Maps.CreateInstance(
        Offers.op(),
        name,
        Identity.root(),
        "persistent",
        "shared",
        0,
        1,
        false,
        "continue",
        "ketama",
        0,
        0,
        "",
        "",
        "",
        false,
        "",
        "everyone",
        "squash",
        0,
        "");
  }

  @Test
  void aFullMapIsCounted() {
    state.apply(new Command.BeginTerm(1, 9));
    state.apply(new Command.FormRing(Offers.arrivals(2, 1), 1));
    desk.create(request("first"), new Caller(network.client(), 1));
    assertThat(network.sent()).isEmpty();
    for (int i = 0; !InstanceRules.isFull(state.map()); i++) {
      assertThat(state.apply(large("i" + i))).isInstanceOf(Result.Made.class);
    }
    assertThat(limits.of(Limit.MAP)).isZero();
    desk.create(request("more"), new Caller(network.client(), 2));
    assertThat(network.sent()).hasSize(1);
    assertThat(((Replies.Failed) network.sent().getFirst().message()).code())
        .isEqualTo(ErrorCode.NO_SPACE);
    assertThat(limits.of(Limit.MAP)).isEqualTo(1);
  }
}
