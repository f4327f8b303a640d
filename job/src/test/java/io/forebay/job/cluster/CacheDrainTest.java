// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.durability.Ledger;
import io.forebay.client.durability.Ledger.State;
import io.forebay.job.service.JobService.StageProgress;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a batch system is told about files that the cache of a job has not written yet. */
class CacheDrainTest {
  private static Ledger.Entry file(String path, State state, int attempts, String lastError) {
    return new Ledger.Entry(1, path, 10, 2, 1, false, state, 0, attempts, Instant.EPOCH, lastError);
  }

  private static StageProgress progress(Ledger.Entry... files) {
    return CacheDrain.progress(new Ledger(List.of(files), 0, "", 0));
  }

  @Test
  void filesThatAreDrainedOrNotDueAreDone() {
    assertThat(progress()).isEqualTo(new StageProgress.Complete());
    assertThat(progress(file("/a", State.DURABLE, 1, ""), file("/b", State.BUFFERED, 0, "")))
        .isEqualTo(new StageProgress.Complete());
  }

  @Test
  void aStoreThatIsAwayForAMomentIsNoFailure() {
    assertThat(progress(file("/a", State.DRAINING, 1, ""))).isEqualTo(new StageProgress.Running());
    assertThat(progress(file("/a", State.WAITING, 2, "the store is away")))
        .isEqualTo(new StageProgress.Running());
  }

  @Test
  void aFileThatFailedThreeTimesFailsTheStageOut() {
    assertThat(
            progress(
                file("/done", State.DURABLE, 1, ""),
                file("/stuck", State.WAITING, 3, "no room is left at '/pfs'"),
                file("/next", State.WAITING, 0, "")))
        .isEqualTo(
            new StageProgress.Failed(
                "2 files of the cache are not in their directory, such as '/stuck': no room is left"
                    + " at '/pfs'; the servers go on when that is corrected"));
  }

  @Test
  void aFileThatAnotherProgramChangedFailsTheStageOut() {
    assertThat(progress(file("/shared", State.CHANGED, 1, "'/pfs/shared' was changed")))
        .isInstanceOfSatisfying(
            StageProgress.Failed.class,
            failed ->
                assertThat(failed.sentence()).contains("'/shared': '/pfs/shared' was changed"));
  }
}
