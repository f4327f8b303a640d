// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.use;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.TestGroup;
import io.forebay.ring.ended.EndedInstances;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a group's journal counts of each instance. */
class InstanceUsesTest {
  private static final int INSTANCE = TestGroup.BUFFER;
  private static final long HOUR = 3_600_000;

  private final TestGroup group = TestGroup.begun();

  private void count(long bucketMillis, long bucket, long written, long read) {
    Counted counted = new Counted(bucketMillis, bucket, written, read, 1);
    group.apply(new GroupCommand.CountUse(INSTANCE, counted));
  }

  private InstanceUse use() {
    return group.state.uses().of(INSTANCE);
  }

  @Test
  void bytesCountForTheWindowAndAtMostOneBucketLonger() {
    count(HOUR, 100, 5, 0);
    count(HOUR, 101, 7, 0);
    assertThat(use().window().bytes(101)).isEqualTo(12);
    assertThat(use().window().bytes(100 + WriteWindow.BUCKETS)).isEqualTo(12);
    assertThat(use().window().bytes(101 + WriteWindow.BUCKETS)).isEqualTo(7);
    assertThat(WriteWindow.goneMillis(100, HOUR)).isEqualTo(HOUR * (101 + WriteWindow.BUCKETS));
    count(HOUR, 102 + WriteWindow.BUCKETS, 1, 0);
    assertThat(use().window().buckets()).hasSize(1);
    assertThat(use().writtenBytes()).isEqualTo(13);
    assertThat(use().windowBytesMax()).isEqualTo(12);
  }

  @Test
  void aClockThatIsSetBackForgetsNothing() {
    count(HOUR, 1_000_000, 5, 0);
    count(HOUR, 100, 7, 0);
    assertThat(use().window().bytes(100)).isEqualTo(12);
    assertThat(use().window().bytes(101 + WriteWindow.BUCKETS)).isZero();
  }

  @Test
  void anotherWindowKeepsWhatWasWritten() {
    count(HOUR, 100, 5, 0);
    count(HOUR / 2, 202, 7, 0);
    assertThat(use().window().bucketMillis()).isEqualTo(HOUR / 2);
    assertThat(use().window().bytes(202)).isEqualTo(12);
    assertThat(use().window().bytes(201 + WriteWindow.BUCKETS)).isEqualTo(12);
    assertThat(use().window().bytes(202 + WriteWindow.BUCKETS)).isEqualTo(7);
  }

  @Test
  void aSnapshotHasAllOfIt() throws MalformedFields {
    count(HOUR, 100, 5, 3);
    count(HOUR, 101, 7, 4);
    group.apply(new GroupCommand.CountUse(9, new Counted(1, 2, 3, 4, 5)));
    GroupState copy = group.restored(GroupState.CHUNK_BYTES_MIN);
    assertThat(copy.digest()).isEqualTo(group.state.digest());
    assertThat(copy.uses().of(INSTANCE).window().bytes(101)).isEqualTo(12);
    assertThat(copy.uses().of(INSTANCE).readBytes()).isEqualTo(7);
    assertThat(copy.uses().of(INSTANCE).ssdBytes()).isEqualTo(2);
    assertThat(copy.uses().of(INSTANCE).windowBytesMax()).isEqualTo(12);
    assertThat(copy.uses().of(9).window().buckets()).containsExactly(Map.entry(2L, 3L));
  }

  @Test
  void aDestroyedInstanceCountsNoMore() {
    count(HOUR, 100, 5, 3);
    group.apply(new GroupCommand.DropEnded(EndedInstances.NONE.with(INSTANCE)));
    count(HOUR, 100, 5, 3);
    assertThat(use()).isNull();
  }
}
