// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.testing.TestSeed;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random operations by several users on a tree and on a real directory: every outcome must be the
 * same, and every now and then all names, kinds, modes, owners, link counts and sizes.
 */
@EnabledOnOs(OS.LINUX)
class LinuxOracleTest {
  private static final int RUNS = 15;
  private static final int OPERATIONS = 400;

  @TempDir Path folder;

  @Test
  void whatLinuxSaysTheTreeSays() throws IOException {
    assumeTrue(
        Files.getAttribute(folder, "unix:uid").equals(0),
        "needs root, to be several users: run the suite as root");
    Files.setAttribute(folder, "unix:mode", 0755);
    long seed = TestSeed.first("LinuxOracleTest");
    System.out.println("LinuxOracleTest: -Dforebay.seed=" + seed);
    int runs = TestSeed.runs(RUNS);
    Set<ErrorCode> outcomes = EnumSet.noneOf(ErrorCode.class);
    for (int run = 0; run < runs; run++) {
      Path place = Files.createDirectory(folder.resolve("run" + run));
      long runSeed = seed + run;
      // A thread of its own: it changes its user.
      CompletableFuture<Void> done = new CompletableFuture<>();
      Thread.ofPlatform()
          .start(
              () -> {
                try (OracleRun oracle =
                    new OracleRun(place, new SplittableRandom(runSeed), outcomes)) {
                  oracle.run(OPERATIONS);
                  done.complete(null);
                } catch (IOException | RuntimeException | AssertionError e) {
                  done.completeExceptionally(e);
                }
              });
      try {
        done.join();
      } catch (CompletionException e) {
        throw new AssertionError("failed with -Dforebay.seed=" + runSeed, e.getCause());
      }
    }
    if (!TestSeed.isGiven()) {
      // Else the operations are too tame to tell anything.
      assertThat(outcomes)
          .contains(
              ErrorCode.NONE,
              ErrorCode.NOT_FOUND,
              ErrorCode.EXISTS,
              ErrorCode.NOT_A_DIRECTORY,
              ErrorCode.IS_A_DIRECTORY,
              ErrorCode.NOT_EMPTY,
              ErrorCode.ACCESS_DENIED,
              ErrorCode.NOT_PERMITTED,
              ErrorCode.NAME_TOO_LONG,
              ErrorCode.TOO_MANY_SYMLINKS,
              ErrorCode.INVALID);
    }
  }
}
