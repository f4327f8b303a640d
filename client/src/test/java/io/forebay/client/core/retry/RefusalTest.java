// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.message.ErrorCode;
import org.junit.jupiter.api.Test;

class RefusalTest {
  @Test
  void aSeatThatIsNotHomeNeedsANewerMap() {
    for (ErrorCode code : new ErrorCode[] {ErrorCode.STALE_EPOCH, ErrorCode.NOT_HOME}) {
      assertThat(Refusal.of(code).wantsMap()).isTrue();
      assertThat(Refusal.of(code).allowsRetry(false)).isTrue();
    }
  }

  @Test
  void anOverloadedSeatIsAskedAgainByTheSameMap() {
    for (ErrorCode code : new ErrorCode[] {ErrorCode.BUSY, ErrorCode.UNAVAILABLE}) {
      assertThat(Refusal.of(code).wantsMap()).isFalse();
      assertThat(Refusal.of(code).allowsRetry(false)).isTrue();
    }
  }

  @Test
  void anInstanceThatTheMapHasIsAskedForAgain() {
    Refusal refusal = Refusal.of(ErrorCode.UNKNOWN_INSTANCE);
    assertThat(refusal.wantsMap()).isTrue();
    assertThat(refusal.allowsRetry(true)).isTrue();
    assertThat(refusal.allowsRetry(false)).isFalse();
  }

  @Test
  void otherRefusalsAreFinal() {
    for (ErrorCode code : new ErrorCode[] {ErrorCode.NOT_FOUND, ErrorCode.GONE, ErrorCode.FAILED}) {
      assertThat(Refusal.of(code)).isEqualTo(Refusal.FINAL);
      assertThat(Refusal.of(code).wantsMap()).isFalse();
      assertThat(Refusal.of(code).allowsRetry(true)).isFalse();
    }
  }
}
