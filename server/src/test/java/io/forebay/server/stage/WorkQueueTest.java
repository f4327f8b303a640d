// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.stage.StageNote;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When other servers are called, and when the thread that gives them work is done. */
@Timeout(30)
class WorkQueueTest {
  /** Longer than the test may take: only a change ends such a wait. */
  private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private final AtomicBoolean ended = new AtomicBoolean();
  private final WorkQueue queue = new WorkQueue(1, ended::get);

  private record Piece(boolean isLong) implements Work {
    @Override
    public StageNote.Task task() {
      return null;
    }

    @Override
    public void run() {}

    @Override
    public void done(StageNote.Result result) {}

    @Override
    public void lost() {}
  }

  @Test
  void longWorkCallsServersAtOnce() throws Exception {
    CompletableFuture<Boolean> called = new CompletableFuture<>();
    Thread waits =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    called.complete(queue.awaitLong(LONG_MILLIS));
                  } catch (InterruptedException e) {
                    called.completeExceptionally(e);
                  }
                });
    queue.add(new Piece(false));
    queue.addNext(new Piece(true));
    assertThat(called.get()).isTrue();
    waits.join();
  }

  @Test
  void shortWorkHasAMomentToEndWithoutOtherServers() throws Exception {
    queue.add(new Piece(false));
    assertThat(queue.awaitLong(1)).isFalse();
  }

  @Test
  void theEndOfTheLastWorkEndsTheWait() throws Exception {
    queue.add(new Piece(false));
    queue.complete();
    assertThat(queue.awaitOver(1)).isFalse();
    assertThat(queue.take()).isNotNull();
    queue.over();
    assertThat(queue.awaitOver(LONG_MILLIS)).isTrue();
    assertThat(queue.awaitLong(LONG_MILLIS)).isFalse();
  }

  @Test
  void aStageThatEndsEndsTheWait() throws Exception {
    queue.add(new Piece(true));
    ended.set(true);
    assertThat(queue.awaitLong(LONG_MILLIS)).isFalse();
    assertThat(queue.awaitOver(LONG_MILLIS)).isTrue();
  }
}
