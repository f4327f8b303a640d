// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Any chunks are a snapshot or malformed; a state that was restored has a snapshot that restores
 * it. An input is a sequence of chunks, each with its length in two bytes.
 */
class SnapshotFuzzTargetTest {
  private static final int CHANGED = 5_000;
  private static final AllocationBound BOUND = new AllocationBound(4 * 1024 * 1024, 5_000);

  @Test
  void anyChunksAreASnapshotOrMalformed() {
    List<byte[]> valid = new ArrayList<>();
    for (GroupState state :
        List.of(JournalFuzzTargetTest.filled().state, TestGroup.begunOver().state)) {
      List<Bytes> chunks = new ArrayList<>();
      state.snapshot(GroupState.CHUNK_BYTES_MIN, chunks::add);
      valid.add(JournalFuzzTargetTest.input(chunks));
    }
    new FuzzRun(SnapshotFuzzTargetTest.class, "snapshots", valid)
        .play(SnapshotFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    BOUND.check(input.length, () -> restore(JournalFuzzTargetTest.entries(input)));
  }

  private static void restore(List<Bytes> chunks) {
    GroupState state = new GroupState(TestGroup.HOME);
    SnapshotReader reader = new SnapshotReader(state);
    boolean complete = false;
    try {
      for (int i = 0; i < chunks.size() && !complete; i++) complete = reader.read(chunks.get(i));
    } catch (MalformedFields refused) {
      return;
    }
    if (!complete) return;
    TestGroup group = new TestGroup();
    group.state = state;
    try {
      if (group.restored(GroupState.CHUNK_BYTES_MIN).digest() != state.digest()) {
        throw new AssertionError("restored otherwise");
      }
    } catch (MalformedFields e) {
      throw new AssertionError("its own snapshot is malformed", e);
    }
  }
}
