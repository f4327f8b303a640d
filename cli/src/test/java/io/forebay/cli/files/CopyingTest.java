// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.cli.files.copy.CopyEnd;
import io.forebay.cli.files.copy.Copying;
import io.forebay.cli.files.copy.LocalEnd;
import io.forebay.cli.files.copy.Streams;
import io.forebay.cli.terminal.Progress;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a copy that is told to end. */
class CopyingTest {
  private static final int BYTES = 3 << 20;

  @TempDir Path directory;

  @Test
  void halfAFileIsRemovedWhenItMustEnd() throws Exception {
    Files.createDirectories(directory.resolve("from"));
    Files.write(directory.resolve("from/a"), new byte[BYTES]);
    Files.write(directory.resolve("from/b"), new byte[BYTES]);
    // Four steps and two more for the first file, then some of the second.
    AtomicInteger steps = new AtomicInteger(8);
    Copying copying = copying(() -> endAfter(steps));
    CopyEnd from = new LocalEnd(directory.resolve("from"));
    CopyEnd to = new LocalEnd(directory.resolve("to"));
    assertThatThrownBy(() -> copying.copy(from, to)).isInstanceOf(InterruptedIOException.class);
    assertThat(directory.resolve("to/a")).hasSize(BYTES);
    assertThat(directory.resolve("to/b")).doesNotExist();
  }

  private static Copying copying(Streams.Check check) {
    Progress progress = Progress.of("copying", new PrintWriter(new StringWriter()));
    return new Copying(true, progress, check);
  }

  private static void endAfter(AtomicInteger steps) throws InterruptedIOException {
    if (steps.getAndDecrement() == 0) {
      // As a process does that is told to end.
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
