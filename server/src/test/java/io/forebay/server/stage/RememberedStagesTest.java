// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.StageStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedStagesTest {
  private static StageStatus stage(String id, State state, long created) {
    Instant time = Instant.ofEpochSecond(created);
    return new StageStatus(
        id,
        StageRequest.in("/a", "/a"),
        state,
        true,
        1,
        1,
        1,
        0,
        0,
        1,
        0,
        0,
        "",
        List.of(),
        "",
        time,
        time,
        state.isOver() ? time : null);
  }

  @Test
  void whatFailedIsRememberedLongerThanWhatSucceeded() {
    List<StageStatus> all = new ArrayList<>();
    all.add(stage("runs", State.RUNNING, 0));
    all.add(stage("deferred", State.DEFERRED, 0));
    for (int i = 0; i < 102; i++) all.add(stage("done-" + i, State.DONE, 1000 - i));
    for (int i = 0; i < 250; i++) all.add(stage("failed-" + i, State.FAILED, i));
    for (int i = 0; i < 250; i++) all.add(stage("cancelled-" + i, State.CANCELLED, 500 + i));
    assertThat(InstanceStages.forgettable(all)).containsExactly("done-101", "done-100");
    all.add(stage("failed", State.FAILED, 2000));
    assertThat(InstanceStages.forgettable(all)).containsExactly("done-101", "done-100", "failed-0");
  }
}
