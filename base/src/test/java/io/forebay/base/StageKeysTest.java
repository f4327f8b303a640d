// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StageKeysTest {
  @Test
  void aKeyNamesItsStage() {
    assertThat(StageKeys.stageOf(StageKeys.OPEN + "abc")).isEqualTo("abc");
    assertThat(StageKeys.stageOf(StageKeys.of("problems") + "abc/000001")).isEqualTo("abc");
    assertThat(StageKeys.stageOf(".forebay/stage/open")).isEmpty();
    assertThat(StageKeys.stageOf("open/abc")).isEmpty();
  }
}
