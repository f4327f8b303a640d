// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.mount.TestMount;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations on a mount do what they do on a local directory, in each way of caching, by
 * several programs at once, and while a server is killed and comes back. {@code
 * -Dforebay.operations=} says how many.
 */
@Timeout(1200)
class RandomOperationsTest {
  private static final int OPERATIONS = Integer.getInteger("forebay.operations", 600);
  private static final int PROGRAMS = 2;

  /** Else the operations are too tame to tell anything. */
  private static final List<String> EXPECTED =
      List.of("close", "open", "read", "truncate", "unlink", "write");

  @TempDir Path local;

  @ParameterizedTest
  @ValueSource(strings = {"none", "auto", "writeback"})
  void likeALocalDirectory(String cache) throws Exception {
    long seed = seed(cache);
    try (TestMount mount = TestMount.embedded(cache)) {
      run(mount, seed, !cache.equals("none"));
    }
  }

  @Test
  void severalAtOnce() throws Exception {
    long seed = seed("several");
    List<OperatingProcess> programs = new ArrayList<>();
    try (TestMount mount = TestMount.embedded(TestMount.DEFAULT_CACHE)) {
      for (int i = 0; i < PROGRAMS; i++) {
        programs.add(new OperatingProcess(local, mount.directory(), OPERATIONS / 3, seed + i));
      }
      for (OperatingProcess program : programs) program.await(RunOperations.CLOSED);
      mount.remount();
      for (OperatingProcess program : programs) {
        program.goOn();
        program.await(RunOperations.SAME);
      }
    } finally {
      for (OperatingProcess program : programs) program.close();
    }
  }

  @Test
  void whileAServerIsKilled() throws Exception {
    long seed = seed("killed");
    AtomicBoolean ending = new AtomicBoolean();
    try (TestMount mount = TestMount.processes(TestMount.DEFAULT_CACHE);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Integer> killer = threads.submit(() -> kill(mount, ending));
      try {
        run(mount, seed, true);
      } finally {
        ending.set(true);
        System.out.println("RandomOperationsTest: " + killer.get() + " kills");
      }
    }
  }

  private void run(TestMount mount, long seed, boolean maps) throws IOException {
    try (OperatingProcess operations =
        new OperatingProcess(local, mount.directory(), OPERATIONS, seed)) {
      String lacking = operations.await(RunOperations.LEFT_OUT);
      System.out.println("RandomOperationsTest: left out are " + lacking);
      assertThat(lacking.contains("mmap")).isNotEqualTo(maps);
      String succeeded = operations.await(RunOperations.SUCCEEDED);
      assertThat(succeeded).contains(EXPECTED);
      if (maps) assertThat(succeeded).contains("mmap", "poke");
      operations.await(RunOperations.CLOSED);
      // What a new mount shows is what the ring has, without anything that a kernel remembers.
      mount.remount();
      operations.goOn();
      operations.await(RunOperations.SAME);
    }
  }

  /** Kills one server after the other, each with a pause in which all are there. */
  private static int kill(TestMount mount, AtomicBoolean ending) throws Exception {
    int kills = 0;
    do {
      Thread.sleep(300);
      int server = kills++ % TestMount.SERVERS;
      mount.killServer(server);
      Thread.sleep(300);
      mount.restartServer(server);
    } while (!ending.get());
    return kills;
  }

  private static long seed(String what) {
    long seed = TestSeed.first("RandomOperationsTest " + what);
    System.out.println("RandomOperationsTest, " + what + ": -Dforebay.seed=" + seed);
    return seed;
  }
}
