// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.BUFFER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.TREE;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.tree.state.TreeLimits;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What write protection allows in a tree. */
class LimitsTest {
  private final TestGroup group = TestGroup.begun();

  private void limit(long fileBytesMax, long filesMax, boolean usedUp) {
    group.apply(new GroupCommand.LimitTree(BUFFER, TREE, fileBytesMax, filesMax, usedUp));
  }

  @Test
  void noMoreFilesAreCreatedThanAllowedDeletedOnesIncluded() {
    group.create("before");
    limit(TreeLimits.UNLIMITED, 2, false);
    group.create("a");
    assertThat(group.tryChange(TestGroup.open("b", true, false)))
        .isEqualTo(ErrorCode.TOO_MANY_FILES);
    group.change(new Names.Unlink(ROOT, "a"));
    assertThat(group.tryChange(TestGroup.open("b", true, false)))
        .isEqualTo(ErrorCode.TOO_MANY_FILES);
    assertThat(group.tryChange(TestGroup.open("before", true, true))).isEqualTo(ErrorCode.NONE);
    group.mkdir("d");
    assertThat(group.state.fill(BUFFER).filesCreated()).isEqualTo(2);
    limit(TreeLimits.UNLIMITED, 3, false);
    group.create("b");
  }

  @Test
  void filesOfOtherTreesCountToo() {
    limit(TreeLimits.UNLIMITED, 100, true);
    assertThat(group.tryChange(TestGroup.open("a", true, false)))
        .isEqualTo(ErrorCode.TOO_MANY_FILES);
  }

  @Test
  void filesDoNotGetLargerThanAllowed() {
    long file = group.create("a").number();
    limit(100, TreeLimits.UNLIMITED, false);
    assertThat(group.tryChange(size(file, 101))).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(group.tryChange(size(file, 100))).isEqualTo(ErrorCode.NONE);
    assertThat(group.tryChange(new Names.Allocate(file, 50, 51, false)))
        .isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(group.tryChange(new Names.Allocate(file, 50, 51, true))).isEqualTo(ErrorCode.NONE);
    assertThat(group.tryChange(append(file, 1, 1))).isEqualTo(ErrorCode.TOO_LARGE);
    group.change(size(file, 90));
    assertThat(group.tryChange(append(file, 10, 1))).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void whatHomesTookIsPublishedAndTooLargeFilesMayShrink() {
    long file = group.create("a").number();
    limit(100, TreeLimits.UNLIMITED, false);
    group.publish(file, piece(150, 50, 1));
    assertThat(group.stat("a").sizeBytes()).isEqualTo(200);
    assertThat(group.tryChange(size(file, 150))).isEqualTo(ErrorCode.NONE);
    assertThat(group.tryChange(size(file, 151))).isEqualTo(ErrorCode.TOO_LARGE);
  }

  @Test
  void theMostThatFilesHeldIsRemembered() throws MalformedFields {
    long file = group.create("a").number();
    group.publish(file, piece(0, 50, 1));
    group.publish(file, piece(0, 50, 2));
    assertThat(group.state.fill(BUFFER).heldBytesMax()).isEqualTo(50);
    group.publish(file, piece(50, 10, 3));
    group.change(size(file, 0));
    limit(7, 8, true);
    GroupState copy = group.restored(GroupState.CHUNK_BYTES_MIN);
    for (GroupState state : List.of(group.state, group.replayed(), copy)) {
      assertThat(state.fill(BUFFER)).isEqualTo(new InstanceFill(0, 60, 1));
      assertThat(state.limits(BUFFER, TREE)).isEqualTo(new TreeLimits.Limits(7, 8, true));
    }
  }

  private static Names.Publish append(long file, int bytes, long number) {
    return new Names.Publish(file, true, false, List.of(piece(0, bytes, number)));
  }

  private static Names.SetAttributes size(long file, long bytes) {
    return new Names.SetAttributes(file, "", true, -1, -1, -1, bytes, -1, -1);
  }
}
