// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.StageKeys;
import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndingInstanceTest {
  private static final String MARK = StageKeys.DUE + "one";

  private static boolean takes(Names.Change change) {
    return EndingInstance.takes(change, MARK::equals);
  }

  private static Names.PutPair put(String key) {
    return new Names.PutPair(key, 1, 0, List.of());
  }

  @Test
  void notesOfAMarkedStageAreTaken() {
    assertThat(takes(put(StageKeys.of("progress") + "one"))).isTrue();
    assertThat(takes(put(StageKeys.OPEN + "one"))).isTrue();
    assertThat(takes(put(StageKeys.of("problems") + "one/000001"))).isTrue();
    assertThat(takes(new Names.DeletePair(MARK))).isTrue();
    assertThat(takes(new Names.TakeNumbers(1))).isTrue();
  }

  @Test
  void newStagesAndPairsOfUsersAreNot() {
    assertThat(takes(put(StageKeys.OPEN + "two"))).isFalse();
    assertThat(takes(put(StageKeys.of("job") + "two"))).isFalse();
    assertThat(takes(put("mine"))).isFalse();
    assertThat(takes(new Names.DeletePair("mine"))).isFalse();
    assertThat(takes(new Names.MakeDirectory(Names.ROOT, "d", 0755))).isFalse();
  }
}
