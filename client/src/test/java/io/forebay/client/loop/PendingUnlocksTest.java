// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.failure.ForebayException;
import io.forebay.wire.message.ErrorCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PendingUnlocksTest {
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean answers;
  private volatile boolean over;

  private final PendingUnlocks.Owed unlock =
      new PendingUnlocks.Owed() {
        @Override
        public boolean isOver() {
          return over;
        }

        @Override
        public void unlock() throws ForebayException {
          if (!answers) throw new ForebayException(ErrorCode.UNAVAILABLE, "no server answers");
          done.countDown();
        }
      };

  private final PendingUnlocks owed = new PendingUnlocks();

  @Test
  void nothingIsLockedBeforeWhatIsOwedIsGivenUp() throws Exception {
    owed.settle();
    owed.add(unlock);
    assertThatThrownBy(owed::settle).hasMessageContaining("no server answers");
    answers = true;
    owed.settle();
    assertThat(owed.count()).isZero();
  }

  @Test
  void whatIsOwedIsGivenUpOnceServersAnswer() throws Exception {
    owed.add(unlock);
    answers = true;
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void nothingIsOwedOfASessionThatIsOver() throws Exception {
    owed.add(unlock);
    over = true;
    owed.settle();
    assertThat(owed.count()).isZero();
  }
}
