// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingFailure;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenAttemptsTest {
  private static final AttemptId ATTEMPT = new AttemptId("1");

  @TempDir Path directory;

  private final OpenAttempts attempts = new OpenAttempts();

  @Test
  void aFailedForceIsNeverFollowedByOneThatSucceeds() throws Exception {
    FileChannel broken = attempts.borrow(ATTEMPT, this::open);
    attempts.giveBack(ATTEMPT, broken);
    broken.close();
    assertThatThrownBy(() -> attempts.force(ATTEMPT, this::open))
        .isInstanceOf(ClosedChannelException.class);
    attempts.forget(ATTEMPT);
    assertThatThrownBy(() -> attempts.force(ATTEMPT, this::open))
        .isInstanceOfSatisfying(
            OpenAttempts.BytesLost.class,
            lost ->
                assertThat(PosixFailures.of(lost, "forcing").failure().advice())
                    .isEqualTo(BackingFailure.Advice.BEGIN_AGAIN));
    assertThatThrownBy(() -> attempts.borrow(ATTEMPT, this::open))
        .isInstanceOf(OpenAttempts.BytesLost.class);
  }

  @Test
  void writersAtTheSameTimeHaveChannelsOfTheirOwnUntilTheForce() throws Exception {
    FileChannel one = attempts.borrow(ATTEMPT, this::open);
    FileChannel other = attempts.borrow(ATTEMPT, this::open);
    assertThat(one).isNotSameAs(other);
    attempts.giveBack(ATTEMPT, one);
    assertThat(attempts.borrow(ATTEMPT, this::open)).isSameAs(one);
    attempts.force(ATTEMPT, this::open);
    assertThat(one.isOpen()).isTrue();
    attempts.giveBack(ATTEMPT, one);
    attempts.giveBack(ATTEMPT, other);
    attempts.force(ATTEMPT, this::open);
    assertThat(one.isOpen()).isFalse();
    assertThat(other.isOpen()).isFalse();
  }

  @Test
  void whatIsWrittenGoesToTheDeviceNowAndThenAndItsErrorsCount() throws Exception {
    FileChannel channel = attempts.borrow(ATTEMPT, this::open);
    channel.close();
    long half = OpenAttempts.FLUSH_BYTES / 2;
    attempts.written(ATTEMPT, channel, half);
    assertThatThrownBy(() -> attempts.written(ATTEMPT, channel, half))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> attempts.force(ATTEMPT, this::open))
        .isInstanceOf(OpenAttempts.BytesLost.class);
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(
        directory.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
