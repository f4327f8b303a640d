// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.right;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.StageKeys;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageNeedsTest {
  @Test
  void everyMessageHasALine() {
    for (Class<? extends Message> type : MessageTypes.all()) {
      assertThatCode(() -> MessageNeeds.of(type)).doesNotThrowAnyException();
    }
  }

  @Test
  void aRequestNeedsWhatItsOperationNeeds() {
    assertThat(MessageNeeds.of(request(new Names.Lookup(1, "a", true)))).isEqualTo(Need.READ);
    assertThat(MessageNeeds.of(request(new Names.Unlink(1, "a")))).isEqualTo(Need.WRITE);
  }

  @Test
  void pairsOfStagesNeedTheRightToAdminister() {
    String key = StageKeys.OPEN + "17.0";
    assertThat(MessageNeeds.of(request(new Names.DeletePair(key)))).isEqualTo(Need.ADMINISTER);
    assertThat(MessageNeeds.of(request(new Names.DeletePair("key")))).isEqualTo(Need.WRITE);
    assertThat(MessageNeeds.of(request(new Names.PutPair(key, 1, 0, List.of()))))
        .isEqualTo(Need.ADMINISTER);
    assertThat(MessageNeeds.of(request(new Names.PutPair("key", 1, 0, List.of()))))
        .isEqualTo(Need.WRITE);
  }

  @Test
  void openingNeedsTheRightToWriteOnlyIfItWrites() {
    assertThat(MessageNeeds.of(request(open(true, false, false, false)))).isEqualTo(Need.READ);
    assertThat(MessageNeeds.of(request(open(false, true, false, false)))).isEqualTo(Need.WRITE);
    assertThat(MessageNeeds.of(request(open(true, false, true, false)))).isEqualTo(Need.WRITE);
    assertThat(MessageNeeds.of(request(open(true, false, false, true)))).isEqualTo(Need.WRITE);
  }

  private static Names.Open open(boolean read, boolean write, boolean create, boolean truncate) {
    return new Names.Open(1, "a", read, write, create, false, truncate, 0);
  }

  private static Names.Request request(Names.Op what) {
    GroupId group = GroupId.of(new SeatId(1), 1);
    return new Names.Request(group, 1, 1, 0, 1, 0, 0, 0, true, Identity.root(), what);
  }
}
