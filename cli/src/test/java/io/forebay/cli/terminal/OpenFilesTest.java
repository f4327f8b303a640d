// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
  @TempDir Path directory;

  @Test
  void theLimitIsReadAsTheKernelWritesIt() throws Exception {
    Path limits = directory.resolve("limits");
    Files.writeString(
        limits,
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             47966                47966                processes
        Max open files            32                   4096                 files
        """);
    assertThat(OpenFiles.limit(limits)).isEqualTo(32);
    Files.writeString(limits, "Max open files            unlimited            unlimited   files");
    assertThat(OpenFiles.limit(limits)).isEqualTo(Long.MAX_VALUE);
    assertThat(OpenFiles.limit(directory.resolve("none"))).isEqualTo(Long.MAX_VALUE);
    assertThat(OpenFiles.sentence(32, 256)).contains("32 open files", "ulimit -n 4096");
    OpenFiles.requireForRunning();
    OpenFiles.requireForServing();
  }
}
