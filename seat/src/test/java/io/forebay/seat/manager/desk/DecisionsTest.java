// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  /** Rejects everything at once. */
  private static final class Rejecting implements Consensus {
    private Outcome.Rejected answer = Outcome.FULL;

    @Override
    public void start(Machine machine, Leadership leadership) {}

    @Override
    public void propose(Bytes command, Proposer proposer) {
      proposer.decided(answer);
    }

    @Override
    public void confirm(Confirmation confirmation) {}

    @Override
    public List<Member> members() {
      return List.of();
    }
  }

  private final Rejecting consensus = new Rejecting();
  private final LimitCounts limits = new LimitCounts();
  private final Decisions decisions =
      new Decisions(consensus, new ManagerState(), new QuietEvents(), limits, () -> {});
  private final List<String> failures = new ArrayList<>();

  @Test
  void onlyProposalsThatFindNoRoomAreCounted() {
    decisions.propose(new Command.BeginTerm(1, 9), applied -> {}, failures::add);
    consensus.answer = new Consensus.Outcome.Rejected("the log is not safe yet");
    decisions.propose(new Command.BeginTerm(1, 9), applied -> {}, failures::add);
    assertThat(failures)
        .containsExactly(
            "not done: too many proposals are under way", "not done: the log is not safe yet");
    assertThat(limits.of(Limit.DECISIONS)).isEqualTo(1);
  }
}
