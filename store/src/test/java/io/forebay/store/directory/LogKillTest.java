// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.directory.LogDirectory.Options;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that holds a log and is killed: nobody else gets it before, and all is there after. */
@Timeout(120)
final class LogKillTest {
  private static final int SEGMENT = 64 * 1024;
  private static final int RECORDS = 150;
  private static final String READY = "ready";

  @TempDir Path temporary;

  /** The other process: fills a log, says so, and waits to be killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws LogUnavailable, IOException {
      Path temporary = Path.of(arguments[0]);
      LogDirectory log = new LogUser().open(options(temporary), machine(temporary));
      LogUser.put(log.store(), 0, RECORDS, Level.KEPT);
      System.out.println(READY);
      while (System.in.read() >= 0) {}
    }
  }

  private static Options options(Path temporary) {
    return Options.create(
        temporary.resolve("seat"), StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 40 * SEGMENT));
  }

  private static Machine machine(Path temporary) {
    return new Machine(temporary.resolve("memory"), "boot-1");
  }

  @Test
  void theLockDiesWithItsHolderAndTheRecordsDoNot() throws Exception {
    Files.createDirectory(temporary.resolve("memory"));
    Process holder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                Holder.class.getName(),
                temporary.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    LogUser user = new LogUser();
    try (BufferedReader out = holder.inputReader()) {
      assertThat(out.readLine()).isEqualTo(READY);
      String pid = "(pid " + holder.pid() + ")";
      assertThatThrownBy(() -> user.open(options(temporary), machine(temporary)).close())
          .isInstanceOf(LogUnavailable.class)
          .hasMessageContainingAll("in use by another process", pid, "stop it or choose another");
      assertThatThrownBy(() -> LogDirectory.destroy(temporary.resolve("seat")))
          .isInstanceOf(LogUnavailable.class)
          .hasMessageContaining(pid);
    } finally {
      holder.destroyForcibly().waitFor();
    }
    try (LogDirectory log = user.open(options(temporary), machine(temporary))) {
      assertThat(log.memorySurvived()).isTrue();
      assertThat(log.report().findings()).isEmpty();
      LogUser.check(log.store(), 0, RECORDS);
    }
  }
}
