// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.message.ErrorCode;
import org.junit.jupiter.api.Test;

class ErrorNumbersTest {
  @Test
  void sentencesOfServers() {
    assertThat(ErrorNumbers.ofSentence("'/a' does not exist")).isEqualTo(ErrorNumbers.ENOENT);
    assertThat(ErrorNumbers.ofSentence("no room is left at '/a'; make room, and start again"))
        .isEqualTo(ErrorNumbers.ENOSPC);
    assertThat(ErrorNumbers.ofSentence("'/a' is outside of what server s1 may stage; choose"))
        .isEqualTo(ErrorNumbers.EPERM);
    assertThat(ErrorNumbers.ofSentence("'/a' cannot be written, its file system is read-only"))
        .isEqualTo(ErrorNumbers.EROFS);
    assertThat(ErrorNumbers.ofSentence("a device broke")).isEqualTo(ErrorNumbers.EIO);
  }

  @Test
  void everyRefusalHasANumber() {
    for (ErrorCode code : ErrorCode.values()) assertThat(ErrorNumbers.of(code)).isPositive();
    assertThat(ErrorNumbers.of(ErrorCode.UNAVAILABLE)).isEqualTo(ErrorNumbers.EHOSTUNREACH);
    assertThat(ErrorNumbers.of(ErrorCode.ACCESS_DENIED)).isEqualTo(ErrorNumbers.EACCES);
  }
}
