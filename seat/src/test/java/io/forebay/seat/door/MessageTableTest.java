// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import io.forebay.seat.door.MessageTable.Sender;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageTableTest {
  private static final int DISPATCHES = 100_000;

  private final MessageTable table = new MessageTable();
  private final List<Message> handled = new ArrayList<>();
  private long counted;

  private boolean dispatch(Sender sender, Message message) {
    return table.dispatch(sender, null, 1, message);
  }

  @Test
  void aClassHasOneHandler() {
    table.add(Sender.CLIENT, Maps.GetMap.class, (from, request, message) -> {});
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                table.addPayload(
                    Sender.SEAT, Maps.GetMap.class, (from, request, m, bytes) -> Landing.HOLD))
        .withMessageContaining("GetMap");
  }

  @Test
  void aSeatMaySendWhatClientsDoAndNotTheOtherWayRound() {
    table.add(Sender.CLIENT, Maps.GetMap.class, (from, request, get) -> handled.add(get));
    table.add(Sender.SEAT, Loads.AskLoad.class, (from, request, ask) -> handled.add(ask));
    assertThat(dispatch(Sender.CLIENT, new Maps.GetMap(1))).isTrue();
    assertThat(dispatch(Sender.SEAT, new Maps.GetMap(2))).isTrue();
    assertThat(dispatch(Sender.SEAT, new Loads.AskLoad())).isTrue();
    assertThat(dispatch(Sender.CLIENT, new Loads.AskLoad())).isFalse();
    assertThat(handled)
        .containsExactly(new Maps.GetMap(1), new Maps.GetMap(2), new Loads.AskLoad());
  }

  @Test
  void whatPeersSendUnaskedComesOnlyOnConnectionsThatThisSeatDialled() {
    table.add(Sender.DIALLED_SEAT, Replies.Done.class, (from, request, done) -> handled.add(done));
    table.add(Sender.CLIENT, Maps.GetMap.class, (from, request, get) -> handled.add(get));
    assertThat(dispatch(Sender.SEAT, new Replies.Done())).isFalse();
    assertThat(dispatch(Sender.CLIENT, new Replies.Done())).isFalse();
    assertThat(dispatch(Sender.DIALLED_SEAT, new Maps.GetMap(1))).isFalse();
    assertThat(dispatch(Sender.DIALLED_SEAT, new Replies.Done())).isTrue();
    assertThat(handled).containsExactly(new Replies.Done());
  }

  @Test
  void dispatchingAllocatesNothing() {
    table.add(Sender.CLIENT, Maps.GetMap.class, (from, request, get) -> counted += get.haveEpoch());
    Message message = new Maps.GetMap(1);
    dispatch(Sender.CLIENT, message);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < DISPATCHES; i++) dispatch(Sender.CLIENT, message);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(counted).isEqualTo(DISPATCHES + 1);
    // The measurement itself allocates a little.
    assertThat(bytes).isLessThan(DISPATCHES);
  }

  @Test
  void aPayloadBelongsOnlyToMessagesThatHaveOne() {
    table.add(Sender.CLIENT, Maps.GetMap.class, (from, request, message) -> {});
    table.addPayload(
        Sender.SEAT, Replies.Done.class, (from, request, message, bytes) -> Landing.HOLD);
    assertThat(table.arriving(Sender.SEAT, null, 1, new Maps.GetMap(1), 8)).isNull();
    assertThat(table.arriving(Sender.CLIENT, null, 1, new Replies.Done(), 8)).isNull();
    assertThat(table.arriving(Sender.SEAT, null, 1, new Replies.Done(), 8)).isSameAs(Landing.HOLD);
    assertThat(dispatch(Sender.SEAT, new Replies.Done())).isFalse();
  }
}
