// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which bytes are whose, as IOR has it, and what it refuses. */
class IorLayoutTest {
  private static IorLayout layout(int tasks, long block, int transfer, int segments) {
    return new IorLayout(tasks, block, transfer, segments, false, false, 7);
  }

  private static List<Long> offsets(IorLayout layout, int task) {
    TransferOrder order = layout.order(task);
    List<Long> offsets = new ArrayList<>();
    for (long i = 0; i < layout.transfersPerTask(); i++) offsets.add(order.offset(i));
    return offsets;
  }

  @Test
  void blocksOfASegmentAreOfOneTaskAfterTheOther() {
    IorLayout layout = layout(3, 32, 16, 2);
    assertThat(offsets(layout, 0)).containsExactly(0L, 16L, 96L, 112L);
    assertThat(offsets(layout, 2)).containsExactly(64L, 80L, 160L, 176L);
    assertThat(layout.totalBytes()).isEqualTo(192);
    assertThat(layout.file("f", 2)).isEqualTo("f");
  }

  @Test
  void aFilePerTaskHasNoOthersBlocks() {
    IorLayout layout = new IorLayout(3, 32, 16, 2, true, false, 7);
    assertThat(offsets(layout, 2)).containsExactly(0L, 16L, 32L, 48L);
    assertThat(layout.file("f", 2)).isEqualTo("f.00000002");
  }

  @Test
  void randomOffsetsAreEachOffsetOnce() {
    IorLayout shared = new IorLayout(3, 64, 16, 5, false, true, 7);
    List<Long> all = new ArrayList<>();
    for (int task = 0; task < 3; task++) all.addAll(offsets(shared, task));
    List<Long> inOrder = LongStream.range(0, 60).map(i -> 16 * i).boxed().toList();
    assertThat(all).containsExactlyInAnyOrderElementsOf(inOrder).isNotEqualTo(inOrder);
    IorLayout own = new IorLayout(3, 64, 16, 5, true, true, 7);
    assertThat(offsets(own, 1)).hasSize(20).doesNotHaveDuplicates().isNotEqualTo(offsets(own, 0));
  }

  @Test
  void whatCannotBeIsSaidWithTheOption() {
    assertThatThrownBy(() -> layout(1, 40, 16, 1))
        .hasMessage(
            "block size (-b) must be a multiple of transfer size (-t): 40 is not one of 16");
    assertThatThrownBy(() -> layout(1, 8, 16, 1))
        .hasMessage("block size (-b) must not be smaller than transfer size (-t)");
    assertThatThrownBy(() -> layout(1, 12, 12, 1)).hasMessageContaining("multiple of 8");
    assertThatThrownBy(() -> layout(0, 16, 16, 1)).hasMessageContaining("(-N)");
    assertThatThrownBy(() -> layout(1, 16, 16, 0)).hasMessageContaining("(-s)");
    assertThatThrownBy(() -> layout(1, 0, 0, 1)).hasMessageContaining("(-t)");
    assertThatThrownBy(() -> layout(100, 64 << 20, 64 << 20, 1)).hasMessageContaining("buffers");
    assertThatThrownBy(() -> layout(2, 1L << 50, 16, 1)).hasMessageContaining("more than");
    assertThatThrownBy(() -> new IorLayout(1, 1L << 30, 8, 1, false, true, 7))
        .hasMessageContaining("(-z)");
    assertThatThrownBy(() -> new IorPlan(layout(1, 8, 8, 1), java.util.Set.of(), 0, 0))
        .hasMessageContaining("(-i)");
  }

  @Test
  void withoutAWordItWritesAndReads() {
    assertThat(IorPlan.once(layout(1, 8, 8, 1)).phases())
        .extracting(Phase::kind)
        .containsExactly(Phase.Kind.WRITE, Phase.Kind.READ);
    assertThat(IorPlan.once(layout(2, 8, 8, 1), IorOption.CHECK_WRITE, IorOption.REORDER).phases())
        .containsExactly(new Phase(Phase.Kind.WRITE, 0), new Phase(Phase.Kind.CHECK, 1));
    assertThat(IorPlan.once(layout(2, 8, 8, 1), IorOption.READ, IorOption.REORDER).phases())
        .containsExactly(new Phase(Phase.Kind.READ, 1));
    assertThat(new Phase(Phase.Kind.READ, 1).owner(3, 4)).isZero();
  }
}
