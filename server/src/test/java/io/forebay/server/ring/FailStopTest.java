// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.FailingProcess;
import io.forebay.server.machine.FailStop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process in which something failed ends at once, although its parts cannot be closed. */
class FailStopTest {
  @TempDir Path folder;

  /** Runs it with the options of real members; returns all that it said. */
  private String run(String what) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(MemberProcess.JAVA_OPTIONS);
    command.add("-Xmx32m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FailingProcess.class.getName(), what));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ended").isTrue();
      assertThat(process.exitValue()).isEqualTo(FailStop.EXIT_CODE);
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(log);
  }

  @Test
  void anErrorInTheLoopEndsTheProcess() throws IOException, InterruptedException {
    assertThat(run("loop"))
        .contains("the test's loop has failed, and this process ends at once")
        .contains("an error in the loop");
  }

  @Test
  void aHeapThatIsFullEndsTheProcess() throws IOException, InterruptedException {
    assertThat(run("memory")).contains("OutOfMemoryError").doesNotContain("MiB are all");
  }

  @Test
  void anErrorInAnotherThreadEndsTheProcess() throws IOException, InterruptedException {
    assertThat(run("thread")).contains("thread 'helper' has failed", "no more direct memory");
  }
}
