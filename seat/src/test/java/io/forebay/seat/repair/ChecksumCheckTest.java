// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.RecordId;
import io.forebay.seat.TestSeat;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.seat.put.CopyQueues;
import io.forebay.wire.Limit;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksumCheckTest {
  private final TestSeat seat = new TestSeat();
  private final ChecksumCheck check =
      new ChecksumCheck(
          seat.basics(),
          new CorruptRecordRepair(
              seat.basics(),
              seat.questions(),
              seat.intake(),
              new CopyQueues(seat.basics(), seat.links().peers()),
              group -> null));

  private void ask(long request) {
    check.ask(seat.client(), request, new Data.AskSound(1, List.of(new RecordId(4, request << 8))));
  }

  @Test
  void noMoreThanSoManyWaitAndOthersAreCounted() {
    long all = Limit.CHECKSUM_REQUESTS.value();
    for (long i = 1; i <= all; i++) ask(i);
    assertThat(seat.takeSent()).isEmpty();
    ask(all + 1);
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(1);
    assertThat(((Replies.Failed) sent.getFirst().message()).code()).isEqualTo(ErrorCode.BUSY);
    assertThat(seat.basics().counters().limits().of(Limit.CHECKSUM_REQUESTS)).isEqualTo(1);
    check.poll();
    assertThat(seat.takeSent()).hasSize(Math.toIntExact(all));
  }
}
