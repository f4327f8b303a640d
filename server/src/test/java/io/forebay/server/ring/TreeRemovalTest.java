// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeRemovalTest {
  private static final int WRITERS = 2;
  private static final int FILES_BEFORE = 100;
  private static final int FILES_PER_DIRECTORY = 50;

  @TempDir private Path folder;
  private volatile boolean removed;

  /** As threads of a process do that a signal ends. */
  @Test
  void removesADirectoryInWhichOthersWrite() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    CountDownLatch begun = new CountDownLatch(WRITERS * FILES_BEFORE);
    List<Future<?>> writers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      for (int i = 0; i < WRITERS; i++) {
        Path own = Files.createDirectory(tree.resolve("writer-" + i));
        writers.add(threads.submit(() -> write(own, begun)));
      }
      begun.await();
      try {
        TreeRemoval.remove(tree);
      } finally {
        removed = true;
      }
      for (Future<?> each : writers) each.get();
    }
    assertThat(tree).doesNotExist();
  }

  /** Creates directories with files until one is removed. */
  private void write(Path parent, CountDownLatch begun) {
    try {
      Path directory = parent;
      for (int i = 0; !removed; i++) {
        if (i % FILES_PER_DIRECTORY == 0) {
          directory = Files.createDirectory(parent.resolve("d" + i));
        }
        Files.write(directory.resolve("f" + i), new byte[1]);
        begun.countDown();
      }
    } catch (IOException gone) {
      assertThat(begun.getCount()).isZero();
    }
  }

  @Test
  void removesNothingWhereNothingIs() throws Exception {
    Path tree = folder.resolve("tree");
    TreeRemoval.remove(tree);
    assertThat(tree).doesNotExist();
  }
}
