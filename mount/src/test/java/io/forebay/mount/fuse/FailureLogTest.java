// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.mount.fuse.operation.Errno;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class FailureLogTest {
  private final List<String> told = new ArrayList<>();
  private long now = 5;
  private final FailureLog failures = new FailureLog(logger(), () -> now);

  /** A logger that remembers its lines. */
  private Logger logger() {
    return (Logger)
        Proxy.newProxyInstance(
            FailureLogTest.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              Object[] values =
                  arguments[1] instanceof Object[] many ? many : new Object[] {arguments[1]};
              told.add(MessageFormatter.arrayFormat((String) arguments[0], values).getMessage());
              return null;
            });
  }

  @Test
  void aFailureIsToldWithAllItsReasons() {
    IOException cause = new IOException("no server answers; given up after 30.0 s");
    failures.failed(
        () -> "flush of process 7", Errno.EIO, new IOException("an earlier write failed", cause));
    assertThat(told)
        .containsExactly(
            "flush of process 7 failed with EIO: an earlier write failed: no server answers;"
                + " given up after 30.0 s");
  }

  @Test
  void whatProgramsExpectIsNotTold() {
    failures.failed(() -> "lookup", Errno.ENOENT, new IOException("no"));
    failures.failed(() -> "create", Errno.EEXIST, new IOException("no"));
    assertThat(told).isEmpty();
  }

  @Test
  void manyAreCounted() {
    int all = FailureLog.LINES_MAX + 990;
    for (int i = 0; i < all; i++) failures.failed(() -> "read", Errno.EIO, new IOException("gone"));
    assertThat(told).hasSize(FailureLog.LINES_MAX);
    now += FailureLog.WINDOW_NANOS;
    failures.failed(() -> "read", Errno.EIO, new IOException("gone"));
    assertThat(told.subList(FailureLog.LINES_MAX, told.size()))
        .containsExactly(
            "990 more operations failed since the last message", "read failed with EIO: gone");
  }
}
