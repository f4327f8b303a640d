// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.disk.Disk.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryDiskTest extends DiskContract {
  private static final int CAPACITY_BYTES = 16 << 20;
  private static final int PENDING_MAX = 64;

  private int wakeUps;

  @Override
  protected Disk open() {
    return MemoryDisk.direct(CAPACITY_BYTES, PENDING_MAX, () -> wakeUps++);
  }

  @Test
  void capacityBoundsWhatIsThereNotWhatWas() throws IOException {
    user.create("a", CAPACITY_BYTES - 1);
    user.mustFail(Reason.NO_SPACE, done -> disk.create("b", 2, done));
    assertThat(disk.list()).hasSize(1);
    user.must(done -> disk.delete("a", done));
    user.create("b", CAPACITY_BYTES);
  }

  @Test
  void refusesFilesThatNoBufferCanHold() {
    try (Disk boundless = MemoryDisk.onHeap(Long.MAX_VALUE, PENDING_MAX, () -> {})) {
      new DiskUser(boundless)
          .mustFail(Reason.NO_SPACE, done -> boundless.create("a", 1L << 40, done));
    }
  }

  @Test
  void answersInOrderOfSubmission() {
    List<String> answered = new ArrayList<>();
    for (String name : List.of("c", "a", "b")) {
      disk.create(name, 1, outcome -> answered.add(name));
    }
    assertThat(wakeUps).isEqualTo(3);
    assertThat(disk.poll()).isEqualTo(3);
    assertThat(answered).containsExactly("c", "a", "b");
  }

  @Test
  void tooManyPendingRequestsAreAMistake() {
    for (int i = 0; i < PENDING_MAX; i++) disk.force("a", outcome -> {});
    assertThatThrownBy(() -> disk.force("a", outcome -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThat(disk.poll()).isEqualTo(PENDING_MAX);
  }
}
