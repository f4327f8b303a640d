// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.StageKeys;
import io.forebay.client.Forebay;
import io.forebay.client.fake.FakeServer;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StageBoardTest {
  private static final String ID = "stage-1";
  private static final Set<String> MOVING =
      Set.of(StageKeys.OPEN + ID, StageKeys.of("progress") + ID);

  /** Refuses the second of the two reads whose order matters until the stage has ended. */
  private static final class SecondRead {
    private final Set<String> read = new HashSet<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicBoolean ended = new AtomicBoolean();

    @Nullable Message answer(Message request) {
      boolean moving =
          request instanceof Names.Request names
              && names.what() instanceof Names.GetPair get
              && MOVING.contains(get.key())
              && !ended.get();
      if (!moving || !isSecond(request)) return null;
      asked.countDown();
      return new Replies.Failed(ErrorCode.BUSY, "not now");
    }

    private boolean isSecond(Message request) {
      read.add(((Names.GetPair) ((Names.Request) request).what()).key());
      return read.size() == 2;
    }
  }

  @Test
  void aDeferredStageThatEndsMeanwhileIsNotShownAsDeferred() throws Exception {
    try (FakeServer server = new FakeServer(1, 1, 0);
        Forebay client = Forebay.connect(server.uri());
        Forebay worker = Forebay.connect(server.uri())) {
      StageBoard board = new StageBoard(client);
      StageRequest request = StageRequest.out("/results", "/archive/").withDeferred(true);
      board.add(ID, new StageNote.Job(StageNote.VERSION, request, "", List.of(), 1), null);
      assertThat(state(board)).isEqualTo(StageStatus.State.DEFERRED);
      board.cancel(ID);
      assertThat(state(board)).isEqualTo(StageStatus.State.PENDING);

      SecondRead second = new SecondRead();
      server.on(
          ring -> {
            ring.meddle((seat, message) -> second.answer(message));
            return true;
          });
      CompletableFuture<StageStatus.State> shown =
          CompletableFuture.supplyAsync(() -> state(board));
      second.asked.await();
      new StageBoard(worker).end(ID, StageNote.Progress.none(StageStatus.State.CANCELLED));
      second.ended.set(true);
      assertThat(shown.join()).isEqualTo(StageStatus.State.CANCELLED);
    }
  }

  private static StageStatus.State state(StageBoard board) {
    try {
      StageStatus status = board.status(ID);
      if (status == null) throw new IllegalStateException("there is no such stage");
      return status.state();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }
}
